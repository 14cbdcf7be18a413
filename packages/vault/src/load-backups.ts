import type { BackupDesk } from './backup-desk.ts'
import type { VaultCore } from './vault-core.ts'

/** Gives what writes and reads backups. */
export type LoadBackups = () => Promise<BackupDesk>

/** Fetches the code of backups when the first is written or read: most visits need none. A failed fetch is tried again. */
export function loadBackups(core: VaultCore): LoadBackups {
  let backups: BackupDesk | undefined
  return async () => {
    backups ??= new (await import('./backup-desk.ts')).BackupDesk(core)
    return backups
  }
}
