import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fingerprint, LockOpen } from 'lucide-react'
import type { FormEvent } from 'react'
import { announce } from '../../components/announce.ts'
import { Button } from '../../components/button.tsx'
import { Progress } from '../../components/progress.tsx'
import { Slow } from '../../components/slow.tsx'
import { Failure } from '../common/failure.tsx'
import { UNLOCKING } from '../proof/kinds.ts'
import { ProofFields } from '../proof/proof-fields.tsx'
import { useProof } from '../proof/use-proof.ts'
import { useProven } from '../proof/use-proven.ts'
import { Waiting } from '../proof/waiting.tsx'
import { forgetUnkept } from '../unlock/unkept-code.ts'

interface UnlockFormProps {
  autoFocus?: boolean
  onUnlocked?: () => void
}

/** Opens the locked account at hand: by passphrase, passkey or recovery code, whichever it has. */
export function UnlockForm({ autoFocus = false, onUnlocked }: UnlockFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const proof = useProof(UNLOCKING)
  const unlock = useProven(proof, async (given) => {
    await vault.unlock(given)
    // Who has the code has kept it.
    if ('recoveryCode' in given && address !== undefined) forgetUnkept(address)
    announce(t`Unlocked`, t`In every tab of this browser.`)
    onUnlocked?.()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    unlock.run()
  }
  const byPasskey = proof.kind === 'passkey'
  const Icon = byPasskey ? Fingerprint : LockOpen
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <ProofFields
        proof={proof}
        autoFocus={autoFocus}
        disabled={unlock.pending}
        error={unlock.problem}
        onChange={unlock.clear}
      />
      <Waiting seconds={unlock.wait} />
      <Failure error={unlock.failure} />
      {unlock.pending ? (
        <Slow>
          <Progress
            label={byPasskey ? t`Waiting for the passkey…` : t`Deriving the key and opening the vault…`}
            value={null}
          />
        </Slow>
      ) : null}
      <Button
        // Made anew for a passkey: there is no field to go to, so this is where the focus goes.
        key={byPasskey && !proof.loading ? 'passkey' : 'field'}
        autoFocus={autoFocus && byPasskey && !proof.loading}
        tone="primary"
        type="submit"
        busy={unlock.pending}
        disabled={proof.loading || unlock.wait > 0}
        icon={<Icon className="size-4" aria-hidden />}
        className="self-start"
      >
        <Trans>Unlock</Trans>
      </Button>
    </form>
  )
}
