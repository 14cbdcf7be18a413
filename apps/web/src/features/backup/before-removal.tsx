import type { AccountInfo } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { isSynced } from '../../shared/vault/is-synced.ts'
import { useSyncedState } from '../../shared/vault/synced-state.ts'
import { backupReminder } from './reminder.ts'
import { useBackupHealth } from './use-backup-health.ts'

/** What is wrong with an account's backup, for who is about to remove the account. Nothing where a checked file has everything. */
export function BeforeRemoval({ account: { active, address } }: { account: AccountInfo }) {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  const { health, failed } = useBackupHealth()
  const limited = useSyncedState(address)?.limited !== undefined
  const isOpen = active && phase === 'unlocked'
  if (!isOpen || failed)
    return (
      <Notice tone="warn" title={t`Keyhole can’t tell whether it has a backup`}>
        {isOpen ? null : <Trans>Open and unlock it to see.</Trans>}
      </Notice>
    )
  const reminder = health && backupReminder(health)
  if (!reminder) return null
  const isNone = health.writtenAt === undefined && health.verifiedAt === undefined
  return (
    <Notice tone="warn" title={reminder.title}>
      {/* On several devices, this copy may not be the only one. A limited device's is. */}
      {!isNone ? (
        reminder.text
      ) : isSynced(address) && !limited ? (
        <Trans>Only another device that still has this vault can bring it back.</Trans>
      ) : (
        <Trans>
          Keyhole knows of no backup and no other device. Without one, your keys are lost for good.
        </Trans>
      )}
    </Notice>
  )
}
