import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fingerprint, LockOpen } from 'lucide-react'
import { announce, hush } from '../../shared/browser/announce.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Slow } from '../../shared/ui/feedback/slow.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { forgetUnconfirmedCode } from '../../shared/unlock-proof/unconfirmed-code.ts'
import { UnlockProofFields } from '../../shared/unlock-proof/unlock-proof-fields.tsx'
import { useProven } from '../../shared/unlock-proof/use-proven.ts'
import { useUnlockProof } from '../../shared/unlock-proof/use-unlock-proof.ts'
import { Waiting } from '../../shared/unlock-proof/waiting.tsx'
import { hasSharedEnclave } from '../../shared/vault/shared-enclave.ts'
import { UNLOCKING } from '../../shared/words/unlock-kinds.ts'

interface UnlockFormProps {
  autoFocus?: boolean
  onUnlocked?: () => void
}

/** Opens the locked account at hand: by passphrase, passkey or recovery code, whichever it has. */
export function UnlockForm({ autoFocus = false, onUnlocked }: UnlockFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { address } = useVaultSnapshot()
  const proof = useUnlockProof(UNLOCKING)
  const unlock = useProven(proof, async (given) => {
    await vault.unlock(given)
    // Who has the code has kept it.
    if ('recoveryCode' in given && address !== undefined) forgetUnconfirmedCode(address)
    // One that says it is locked may still be there.
    hush()
    announce(t`Unlocked`, hasSharedEnclave() ? t`In every tab of this browser.` : t`In this tab.`)
    onUnlocked?.()
  })
  const byPasskey = proof.kind === 'passkey'
  const Icon = byPasskey ? Fingerprint : LockOpen
  return (
    <Form onSubmit={unlock.run} className="flex max-w-xl flex-col gap-4">
      <UnlockProofFields
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
    </Form>
  )
}
