import { withFileLock } from '../locks/file-lock.ts'

/**
 * Runs work on a login that no other process does at the same time: an issuer may take a refresh token once.
 *
 * @throws GateError SERVER_FAILED if another process takes too long
 */
export async function lockLogin<T>(path: string, work: () => Promise<T>): Promise<T> {
  return await withFileLock(path, 'renewing the login', work)
}
