import { createPasskey, type ForeignKey, forgetPasskey } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { t } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useRef, useState } from 'react'
import { beginSetup } from '../../features/account/setup.ts'
import { useDraft, useTextDraft } from '../../shared/hooks/drafts.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { NewPassphrase } from '../../shared/passphrase/new-passphrase.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { CheckBox } from '../../shared/ui/fields/check-box.tsx'
import { RadioCards } from '../../shared/ui/fields/radio-cards.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { UsernameHint } from '../../shared/ui/fields/username-hint.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { isOpening, type Opening, openings } from './methods.ts'

interface CreateFormProps {
  /** Reads a key from elsewhere that is to be the vault's first; without it a new one is made. */
  firstKey?: () => ForeignKey
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

/** Names a new vault and says what is to open it. What is chosen outlives a look elsewhere; a passphrase does not. */
export function CreateForm({ firstKey }: CreateFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { phase, accounts } = useVaultSnapshot()
  const [name, setName] = useTextDraft('create-name')
  const [opening, setOpening] = useDraft<Opening>('create-opening', 'passphrase', isOpening)
  const [code, setCode] = useDraft('create-code', true, isBoolean)
  const [problem, setProblem] = useState<string>()
  const passphrase = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [enough, setEnough] = useState(false)
  const onEnough = useCallback((value: boolean) => setEnough(value), [])
  const byPasskey = opening !== 'passphrase'
  const byPassphrase = opening !== 'passkey'
  // A passkey is gone with its device: alone it would be a way to lose everything.
  const needsCode = opening === 'passkey'
  const ready = !byPassphrase || enough

  const create = useAction(async () => {
    const label = name.trim()
    if (label === '') {
      setProblem(t`Give it a name that tells you which one it is.`)
      field.current?.focus()
      return
    }
    const passkey = byPasskey ? await createPasskey({ name: label }) : undefined
    try {
      const { address, recoveryCode } = await vault.create({
        label,
        ...(byPassphrase && { passphrase: passphrase.current?.value ?? '' }),
        ...(passkey && { passkey }),
        recoveryCode: code || needsCode,
        ...(firstKey && { key: firstKey() }),
      })
      setName('')
      beginSetup(vault, {
        address,
        tab: firstKey ? 'restore' : 'create',
        ...(recoveryCode !== undefined && { recoveryCode }),
      })
    } catch (error) {
      if (passkey) await forgetPasskey(passkey)
      throw error
    } finally {
      passkey?.prf.fill(0)
    }
  })
  const submit = () => {
    if (ready) create.run()
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      {phase === 'unlocked' || phase === 'locked' ? (
        <Notice>
          <Plural
            value={accounts.length}
            one="There is a vault in this browser already. A new one stands beside it; the open one is locked."
            other="There are # vaults in this browser already. A new one stands beside them; the open one is locked."
          />
        </Notice>
      ) : null}
      <TextField
        ref={field}
        label={t`Name`}
        hint={
          byPasskey
            ? t`So that you know it when you see it. The passkey carries it too: whoever manages your passkeys reads it.`
            : t`For you alone, so that you know it when you see it.`
        }
        placeholder={t`Personal`}
        maxLength={80}
        value={name}
        onValueChange={(next) => {
          setProblem(undefined)
          setName(next)
        }}
        error={problem}
        disabled={create.pending}
      />
      <RadioCards
        label={t`What opens it`}
        value={opening}
        onValueChange={(next) => {
          setOpening(next)
          create.clear()
        }}
        options={openings()}
        disabled={create.pending}
      />
      {byPassphrase ? (
        <>
          <UsernameHint name={name} />
          <NewPassphrase
            inputRef={passphrase}
            againRef={again}
            known={[name]}
            onEnough={onEnough}
            disabled={create.pending}
          />
        </>
      ) : null}
      <CheckBox
        label={t`Make a recovery code as well`}
        hint={
          needsCode
            ? t`A passkey is gone with its device, so a vault that opens by one alone needs a second way in.`
            : t`A code on paper that opens the vault when all else is lost.`
        }
        checked={code || needsCode}
        onCheckedChange={setCode}
        disabled={needsCode || create.pending}
      />
      <FormEnd
        action={create}
        disabled={!ready}
        progress={create.pending ? <Progress label={pendingWords(opening)} value={null} /> : null}
      >
        <Trans>Create the vault</Trans>
      </FormEnd>
    </Form>
  )
}

function pendingWords(opening: Opening): string {
  return opening === 'passphrase'
    ? t`Making your key and sealing it behind the passphrase…`
    : t`Making the passkey on your device, and sealing your key behind it…`
}
