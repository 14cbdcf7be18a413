import { forgetAccount } from '../canary.ts'
import { removeMirror } from '../mirror/mirror.ts'
import { withMirrorLock } from '../write-lock.ts'
import { deleteDatabase } from './account-databases.ts'

/**
 * Deletes everything this browser has of an account. The database goes first: if that fails, nothing was deleted, and a
 * tab killed in between leaves an account that shows as lost but has been removed.
 */
export async function removeForGood(address: string): Promise<void> {
  await deleteDatabase(address)
  await forgetCopy(address)
}

/** Deletes the second copy of an account, and its entry in the list of known accounts. */
export async function forgetCopy(address: string): Promise<void> {
  await withMirrorLock(address, () => removeMirror(address))
  await forgetAccount(address)
}
