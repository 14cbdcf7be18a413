import { forgetAccount } from '../canary.ts'
import { removeMirror } from '../mirror/mirror.ts'
import { withMirrorLock } from '../write-lock.ts'
import { deleteDatabase } from './account-databases.ts'

/**
 * Deletes everything this browser has of an account. The second copy goes first: if that fails, or a tab is killed in
 * between, the account is still there, and its database makes the copy again.
 */
export async function removeForGood(address: string): Promise<void> {
  await withMirrorLock(address, () => removeMirror(address))
  await deleteDatabase(address)
  // Another tab may have written to it until its database was closed.
  await forgetCopy(address)
}

/** Deletes the second copy of an account, and its entry in the list of known accounts. */
export async function forgetCopy(address: string): Promise<void> {
  await withMirrorLock(address, () => removeMirror(address))
  await forgetAccount(address)
}
