import { forgetAccount } from '../canary.ts'
import { removeMirror } from '../copy/mirror.ts'
import { withMirrorLock } from '../write-lock.ts'
import { deleteDatabase } from './account-storage.ts'

/**
 * Deletes all that this browser keeps of an account. The database goes first: where that is refused nothing has been
 * deleted, and a tab killed in between leaves an account that is shown as lost, rather than one that is.
 */
export async function removeForGood(address: string): Promise<void> {
  await deleteDatabase(address)
  await forgetCopy(address)
}

/** Deletes the second copy of an account, and the memory of it. */
export async function forgetCopy(address: string): Promise<void> {
  await withMirrorLock(address, () => removeMirror(address))
  await forgetAccount(address)
}
