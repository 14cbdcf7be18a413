import type { KeyVault } from '@keyhole/vault'
import { deliveredOf, remember } from './delivered.ts'
import { hasRelay } from './relay-setting.ts'

/** How long the relay may take, in milliseconds. */
const PATIENCE = 15_000

/** Revocations not to send while this page is open: what they revoke has expired, or isn't stored here. */
const idle = new Set<string>()

/** The result. */
export type Posted =
  /** Nothing is left to send. */
  | 'done'
  /** The server has no relay. */
  | 'no-relay'
  /** Some are left: try again. */
  | 'later'

/**
 * Sends the relay every revocation of the account that it doesn't have yet, newest first. Expired grants need none. Never fails: the
 * revocation is already signed and stored.
 */
export async function postRevocations(vault: KeyVault, address: string, now: number): Promise<Posted> {
  try {
    const delivered = deliveredOf(address)
    const revocations = await vault.tokens.revocations()
    const open = revocations.filter(
      ({ revokes = '', cid }) => revokes !== '' && !delivered.has(revokes) && !idle.has(cid),
    )
    if (open.length === 0) return 'done'
    if (!navigator.onLine) return 'later'
    if (!(await hasRelay())) return 'no-relay'
    // This reads every token, so do it only if something can be sent.
    const revoked = new Map((await vault.tokens.list()).map((stored) => [stored.cid, stored]))
    for (const { cid, revokes = '', token: revocation } of open) {
      const { token, expiresAt = Number.POSITIVE_INFINITY } = revoked.get(revokes) ?? {}
      if (token === undefined || expiresAt <= now) {
        idle.add(cid)
        continue
      }
      const { ok, status } = await post({ revocation, token })
      if (status === 429 || status >= 500) return 'later'
      // What the relay refuses once, it refuses again.
      remember(address, revokes, ok)
    }
    return 'done'
  } catch {
    // Locked or disconnected in the meantime.
    return 'later'
  }
}

async function post(body: object): Promise<Response> {
  return await fetch('/relay/revocations', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE),
  })
}
