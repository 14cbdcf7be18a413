import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { LockOpen } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { PassphraseField } from '../../components/passphrase-field.tsx'
import { Progress } from '../../components/progress.tsx'
import { announce } from '../../components/toast.tsx'
import { UsernameHint } from '../../components/username-hint.tsx'
import { useAction } from '../common/use-action.ts'
import { explainText } from '../words/refusal.ts'

interface UnlockFormProps {
  autoFocus?: boolean
  onUnlocked?: () => void
}

/** Opens the locked account at hand with its passphrase. */
export function UnlockForm({ autoFocus = false, onUnlocked }: UnlockFormProps) {
  const vault = useVault()
  const { label } = useVaultSnapshot()
  const input = useRef<HTMLInputElement>(null)
  const [missing, setMissing] = useState(false)
  const unlock = useAction(async () => {
    const field = input.current
    const passphrase = field?.value ?? ''
    setMissing(passphrase === '')
    if (passphrase === '') return
    try {
      await vault.unlock(passphrase)
    } catch (error) {
      field?.select()
      throw error
    }
    if (field) field.value = ''
    announce('Unlocked', 'In every tab of this browser.')
    onUnlocked?.()
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    unlock.run()
  }
  const refused = unlock.error === undefined ? undefined : explainText(unlock.error)
  const error = missing ? 'Type the passphrase of this vault.' : refused
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <UsernameHint name={label} />
      <PassphraseField
        label="Passphrase"
        inputRef={input}
        autoComplete="current-password"
        autoFocus={autoFocus}
        disabled={unlock.pending}
        error={error}
        onValueChange={() => {
          setMissing(false)
          if (unlock.error) unlock.clear()
        }}
      />
      {unlock.pending ? <Progress label="Deriving the key from the passphrase…" value={null} /> : null}
      <Button
        tone="primary"
        type="submit"
        busy={unlock.pending}
        icon={<LockOpen className="size-4" aria-hidden />}
        className="self-start"
      >
        Unlock
      </Button>
    </form>
  )
}
