import { knowsRelay, standingOf } from './delivered.ts'
import { hasRelay, isRelayOn } from './relay-setting.ts'

/** Whether a revoked grant has to stay in the vault, because the relay must still be sent its revocation: it is sent together with it. */
export async function isNeeded(
  address: string,
  { cid, expiresAt = Number.POSITIVE_INFINITY }: { readonly cid: string; readonly expiresAt?: number },
): Promise<boolean> {
  if (!isRelayOn() || expiresAt <= Date.now() || standingOf(address, cid)) return false
  // Without a relay nothing is sent. One that doesn't answer will be asked again.
  return knowsRelay(address) || (await hasRelay().catch(() => true))
}
