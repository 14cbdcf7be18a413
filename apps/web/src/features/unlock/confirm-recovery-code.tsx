import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { PassphraseField } from '../../shared/ui/fields/passphrase-field.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { sameCode } from './recovery-code.ts'

interface ConfirmRecoveryCodeProps {
  code: string
  /** Called once the code was given back: it need not be shown any more. */
  onConfirmed: () => void
}

/** A recovery code, shown this once, until it is typed or pasted back from where it is kept. */
export function ConfirmRecoveryCode({ code, onConfirmed }: ConfirmRecoveryCodeProps) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  // A reload is one key away, and nothing shows the code again.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  const submit = () => {
    const typed = input.current?.value ?? ''
    if (sameCode(typed, code)) onConfirmed()
    else if (typed.trim() === '') setProblem(t`Type or paste the code from where you keep it.`)
    else setProblem(t`This is not the code above. Compare the groups one by one.`)
  }
  return (
    <Form onSubmit={submit}>
      <Notice tone="warn" title={t`It is shown this once.`}>
        <Trans>
          It opens the vault alone: write it on paper, or put it into a password manager. Whoever finds it can
          open the vault on this device, and a backup file.
        </Trans>
      </Notice>
      <div className="flex flex-col items-start gap-3 rounded-control border border-line bg-sunken p-4">
        <output
          aria-label={t`Recovery code`}
          className="select-all break-words font-mono text-lg leading-relaxed tracking-wide"
        >
          {code}
        </output>
        <CopyButton text={code} what={t`the recovery code`} label={t`Copy`} clearAfter={60} />
      </div>
      <PassphraseField
        label={t`Type or paste it back`}
        hint={t`From the paper or the manager, so that it is sure to be there.`}
        inputRef={input}
        autoComplete="off"
        what={t`recovery code`}
        error={problem}
        onValueChange={() => setProblem(undefined)}
      />
      <Button tone="primary" type="submit" className="self-start">
        <Trans>I have kept it</Trans>
      </Button>
    </Form>
  )
}
