import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { PassphraseField } from '../../shared/ui/fields/passphrase-field.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { ScanButton } from '../../shared/ui/sharing/scan-button.tsx'
import { useCodeOpens } from '../../shared/vault/code-opens.ts'
import { PrintButton } from './print-button.tsx'
import { sameCode } from './recovery-code.ts'

// The code must stay on screen where the sheet can't be loaded. The page is printed then, with the code on it.
const RecoverySheet = lazy<ComponentType<{ code: string }>>(() =>
  import('./recovery-sheet.tsx').then(
    (sheet) => ({ default: sheet.RecoverySheet }),
    () => ({ default: () => null }),
  ),
)

interface ConfirmRecoveryCodeProps {
  code: string
  /** Called once the code was given back: it need not be shown any more. */
  onConfirmed: () => void
}

/** A recovery code, shown this once, until it is typed or pasted back from where it is kept. */
export function ConfirmRecoveryCode({ code, onConfirmed }: ConfirmRecoveryCodeProps) {
  const { t } = useLingui()
  const opens = useCodeOpens()
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
    else if (typed.trim() === '') setProblem(t`Paste the code from where you saved it.`)
    else setProblem(t`That isn’t the code above. Compare the groups one by one.`)
  }
  return (
    <Form onSubmit={submit}>
      <Notice tone="warn" title={t`You’ll see it only this once.`}>
        {opens ? (
          <Trans>
            Print it, write it down, or put it in a password manager. Anyone who finds it can open the vault:
            the code and this site are enough.
          </Trans>
        ) : (
          <Trans>
            Print it, write it down, or put it in a password manager. Anyone who finds it can open the vault
            on this device, and your backup files.
          </Trans>
        )}
      </Notice>
      <div className="flex flex-col items-start gap-3 rounded-control border border-line bg-sunken p-4">
        <output
          aria-label={t`Recovery code`}
          className="select-all break-words font-mono text-lg leading-relaxed tracking-wide"
        >
          {code}
        </output>
        <div className="flex flex-wrap items-center gap-2">
          <CopyButton text={code} what={t`the recovery code`} label={t`Copy`} clearAfter={60} />
          {/* It keeps the button's place: what is below must not move under a finger. */}
          <Suspense fallback={<PrintButton disabled />}>
            <PrintButton />
            <RecoverySheet code={code} />
          </Suspense>
        </div>
      </div>
      <PassphraseField
        label={t`Paste it back`}
        hint={t`Copy it from where you saved it, so you know it’s there. You can also type it, or scan the sheet.`}
        inputRef={input}
        autoComplete="off"
        aside={
          <ScanButton
            what={t`the recovery code`}
            onText={(text) => {
              if (input.current) input.current.value = text
              setProblem(undefined)
            }}
          />
        }
        what={t`recovery code`}
        error={problem}
        onValueChange={() => setProblem(undefined)}
      />
      <Button tone="primary" type="submit" className="self-start">
        <Trans>I’ve saved it</Trans>
      </Button>
    </Form>
  )
}
