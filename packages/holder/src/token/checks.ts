// Checks callers' arguments.
import { refuse, wrongInput } from '../errors.ts'
import { isDid, keyOf } from '../identity/did.ts'
import { isCurvePoint } from '../identity/ecdsa.ts'
import { isUsableKey } from '../identity/ed25519.ts'
import { isCommand, isReserved } from './command.ts'
import { MAX_TIME } from './payload.ts'

/** @throws HolderError InvalidInput */
export function checkDid(name: string, did: string | undefined): string | undefined {
  return did === undefined || isDid(did)
    ? did
    : wrongInput(`\`${name}\` must be a DID, such as did:key:z6Mk….`)
}

/** @throws HolderError InvalidInput */
export function checkCommand(command: string | undefined): void {
  if (command !== undefined && !isCommand(command))
    wrongInput('`command` must be a UCAN command, such as /msg/send.')
}

/** @throws HolderError InvalidCommand */
export function checkReserved(command: string): void {
  if (isReserved(command)) refuse('InvalidCommand', `UCAN keeps ${command} for itself.`)
}

/** @throws HolderError InvalidInput */
export function checkMoment(name: string, seconds: number): number {
  const isMoment = Number.isInteger(seconds) && Math.abs(seconds) <= MAX_TIME
  return isMoment ? seconds : wrongInput(`\`${name}\` must be a whole number of seconds.`)
}

/**
 * Refuses a did:key that no one can use: not a point on its curve, or one that anyone could sign for. @throws
 * HolderError InvalidAudience
 */
export function checkUsable(did: string): void {
  if (!did.startsWith('did:key:')) return
  const key = keyOf(did)
  if (!key || !(key.type === 'Ed25519' ? isUsableKey(key.bytes) : isCurvePoint(key)))
    refuse('InvalidAudience', `No one can use a token for ${did}: it has no usable key in it.`)
}
