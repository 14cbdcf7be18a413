import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { Backups } from './backups.ts'

/** Loads the code that writes and reads backups. */
export type LoadBackups = () => Promise<Backups>

/** Loads the backup code on first use, because most visits don't need it. A failed load is tried again. */
export function loadBackups(context: VaultContext, changes: Changes): LoadBackups {
  let backups: Backups | undefined
  return async () => {
    backups ??= new (await import('./backups.ts')).Backups(context, changes)
    return backups
  }
}
