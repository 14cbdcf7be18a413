import { VerifyError } from '@keyhole/verify'
import { CallRefused, refuseCall } from '../errors.ts'

/** Refuses what can't be decided, and tells the gate's operator why. What was refused already stays refused. @throws CallRefused always */
export function undecided(error: unknown, onError: (error: unknown) => void): never {
  if (error instanceof CallRefused) throw error
  if (error instanceof VerifyError && error.code === 'BUSY')
    return refuseCall('Busy', 'Too many calls are waiting to be checked. Try again later.')
  onError(error)
  const code = error instanceof VerifyError ? error.code : 'CHECK_FAILED'
  const why =
    code === 'REVOCATIONS_UNKNOWN'
      ? "The gate can't reach the owner's relay, so it can't know what was revoked."
      : ''
  return refuseCall('Unavailable', `No decision could be made (${code}). ${why} Try again later.`)
}
