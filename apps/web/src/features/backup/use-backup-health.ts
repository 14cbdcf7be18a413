import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useReadAgain, useVaultQuery } from '../../shared/vault/vault-query.ts'

const NAME = 'backup-health'

/** When the account was last backed up and when that was checked; undefined while it is locked or being read. */
export function useBackupHealth() {
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const readAgain = useReadAgain(NAME)
  const { data, failed } = useVaultQuery(NAME, () => vault.backups.health(), {
    enabled: phase === 'unlocked',
  })
  return { health: data, failed, readAgain }
}
