import { reasonOf, refused, VaultError } from '../base/errors.ts'

/** Dexie wraps browser errors: a full disk can be the error, its `inner`, its cause, or the reason for an abort. */
function isQuota(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  if ('name' in error && error.name === 'QuotaExceededError') return true
  const inner = 'inner' in error ? error.inner : undefined
  const cause = 'cause' in error ? error.cause : undefined
  return isQuota(inner, depth + 1) || isQuota(cause, depth + 1)
}

/**
 * Converts a storage failure to a `VaultError`. A full disk is named. In every case the transaction was dropped, so
 * what was stored stays.
 * @param what the work that failed, as in "saving the token"
 */
export function toStorageError(error: unknown, what: string): VaultError {
  if (error instanceof VaultError) return error
  if (isQuota(error)) {
    return refused(
      'StorageFull',
      { what },
      { details: { quota: true, reason: reasonOf(error) }, cause: error },
    )
  }
  return refused('StorageFailed', { what }, { details: { reason: reasonOf(error) }, cause: error })
}

/**
 * Does something with a storage.
 * @param what the work, as in "saving the token"
 * @throws VaultError `StorageFull`, `StorageFailed`, or that of the work
 */
export async function withStorageErrors<T>(what: string, work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStorageError(error, what)
  }
}
