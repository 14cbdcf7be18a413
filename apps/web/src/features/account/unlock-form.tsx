import { useVault } from '@keyhole/vault-react'
import { Fingerprint, LockOpen } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Progress } from '../../components/progress.tsx'
import { announce } from '../../components/toast.tsx'
import { useAction } from '../common/use-action.ts'
import { useCountdown } from '../common/use-countdown.ts'
import { UNLOCKING } from '../proof/kinds.ts'
import { ProofFields } from '../proof/proof-fields.tsx'
import { proofProblem, waitUntil } from '../proof/proof-words.ts'
import { useProof } from '../proof/use-proof.ts'
import { Waiting } from '../proof/waiting.tsx'

interface UnlockFormProps {
  autoFocus?: boolean
  onUnlocked?: () => void
}

/** Opens the locked account at hand: by passphrase, passkey or recovery code, whichever it has. */
export function UnlockForm({ autoFocus = false, onUnlocked }: UnlockFormProps) {
  const vault = useVault()
  const proof = useProof(UNLOCKING)
  const [retryAt, setRetryAt] = useState<number>()
  const wait = useCountdown(retryAt)
  const unlock = useAction(async () => {
    try {
      await vault.unlock(await proof.take())
    } catch (error) {
      setRetryAt(waitUntil(error))
      proof.select()
      throw error
    }
    proof.forget()
    announce('Unlocked', 'In every tab of this browser.')
    onUnlocked?.()
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (wait === 0) unlock.run()
  }
  const byPasskey = proof.kind === 'passkey'
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <ProofFields
        proof={proof}
        autoFocus={autoFocus}
        disabled={unlock.pending}
        error={proofProblem(unlock.error, proof.kind)}
        onChange={unlock.clear}
      />
      <Waiting seconds={wait} />
      {unlock.pending ? (
        <Progress
          label={byPasskey ? 'Waiting for the passkey…' : 'Deriving the key and opening the vault…'}
          value={null}
        />
      ) : null}
      <Button
        // Made anew for a passkey: there is no field to go to, so this is where the focus goes.
        key={byPasskey && !proof.loading ? 'passkey' : 'field'}
        autoFocus={autoFocus && byPasskey && !proof.loading}
        tone="primary"
        type="submit"
        busy={unlock.pending}
        disabled={proof.loading || wait > 0}
        icon={
          byPasskey ? (
            <Fingerprint className="size-4" aria-hidden />
          ) : (
            <LockOpen className="size-4" aria-hidden />
          )
        }
        className="self-start"
      >
        Unlock
      </Button>
    </form>
  )
}
