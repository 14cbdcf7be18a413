import { useVaultSnapshot } from '@keyhole/vault-react'
import { codeWaits, useSetup } from '../../../features/account/setup.ts'
import { useBackupHealth } from '../../../features/backup/use-backup-health.ts'
import { useStorage } from '../../../features/backup/use-storage.ts'
import { mandateState } from '../../../features/payments/mandates/mandate-state.ts'
import { useWaiting } from '../../../shared/relay/waiting.ts'
import { type TokenPage, useTokenCounts } from '../../../shared/tokens/use-tokens.ts'
import { useUnconfirmedCode } from '../../../shared/unlock-proof/use-unconfirmed-code.ts'
import { useMandates } from '../../../shared/vault/use-sealed-lists.ts'
import { type AttentionItem, attentionItems } from './attention-items.ts'

/**
 * What needs attention, as far as the vault can say it now; undefined until all of it has been read, so that nothing moves afterwards.
 * @param given the active grants that are listed below it
 */
export function useAttention(given: TokenPage, now: number): AttentionItem[] | undefined {
  const { address, phase } = useVaultSnapshot()
  const backup = useBackupHealth()
  const storage = useStorage()
  const setup = useSetup()
  const code = useUnconfirmedCode()
  const { mandates, loading } = useMandates()
  const counts = useTokenCounts()
  const unsent = useWaiting(address)
  const isSealedRead =
    phase !== 'unlocked' || (isRead(backup.health, backup.failed) && code !== undefined && !loading)
  if (!isSealedRead || !isRead(storage.health, storage.failed) || given.loading || counts.loading)
    return undefined
  return attentionItems({
    codeWaits: codeWaits(setup) && setup?.address === address,
    codeUnconfirmed: code === 'unconfirmed',
    backup: backup.health,
    storage: storage.health,
    unsent,
    suspended: mandates
      .filter((mandate) => mandate.keeper === undefined && mandateState(mandate, now) === 'suspended')
      .map(({ cid }) => cid),
    soon: counts.soon,
    long: counts.long,
  })
}

const isRead = (data: unknown, failed: unknown) => data !== undefined || failed !== undefined
