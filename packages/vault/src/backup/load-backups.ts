import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { Backups } from './backups.ts'

/** Gives what writes and reads backups. */
export type LoadBackups = () => Promise<Backups>

/** Fetches the code of backups when the first is written or read: most visits need none. A failed fetch is tried again. */
export function loadBackups(context: VaultContext, changes: Changes): LoadBackups {
  let backups: Backups | undefined
  return async () => {
    backups ??= new (await import('./backups.ts')).Backups(context, changes)
    return backups
  }
}
