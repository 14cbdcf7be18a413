import type { KeyVault } from '@keyhole/vault'
import { followStore, knowsRelay, remember, settledOf } from './delivered.ts'
import { relayStore } from './relay-setting.ts'
import { setWaiting } from './waiting.ts'

/** How long the relay may take, in milliseconds. */
const PATIENCE = 15_000
/** So long it isn't asked whether it still has what it took, in milliseconds. */
export const RECHECK = 600_000

/** What the relay refuses once with these codes, it refuses again. */
const FINAL: ReadonlySet<unknown> = new Set(['bad_request', 'too_large', 'not_a_revocation'])

/** Revocations not to send while this page is open: what they revoke has expired, or isn't stored here. */
const idle = new Set<string>()
/** When the relay was last asked for its store, by the account's address, in milliseconds since 1970. */
const askedAt = new Map<string, number>()

/** The result. */
export type Posted =
  /** Nothing is left to send. */
  | 'done'
  /** The server has no relay, and had none. */
  | 'no-relay'
  /** Some are left: try again. */
  | 'later'

/**
 * Sends the relay every revocation of the account that it doesn't have yet, newest first, and says how many wait. Expired grants need none.
 * Never fails: the revocation is already signed and stored.
 */
export async function postRevocations(vault: KeyVault, address: string, now: number): Promise<Posted> {
  let waiting = 0
  try {
    const revocations = await vault.tokens.revocations()
    const open = () => {
      const settled = settledOf(address)
      return revocations.filter(
        ({ revokes = '', cid }) => revokes !== '' && !idle.has(cid) && !settled.has(revokes),
      )
    }
    if (revocations.length === 0 || (open().length === 0 && now - (askedAt.get(address) ?? 0) < RECHECK))
      return 'done'
    const store = navigator.onLine ? await relayStore().catch(() => null) : null
    if (typeof store === 'string') {
      askedAt.set(address, now)
      followStore(address, store)
    } else if (!knowsRelay(address)) return store === null ? 'later' : 'no-relay'
    // This reads every token, so do it only if something can be sent.
    const isOpen = open().length > 0
    const revoked = new Map(isOpen ? (await vault.tokens.list()).map((stored) => [stored.cid, stored]) : [])
    for (const { cid, revokes } of open()) {
      const { token, expiresAt = now + 1 } = revoked.get(revokes ?? '') ?? {}
      if (token === undefined || expiresAt <= now) idle.add(cid)
    }
    const due = open()
    waiting = due.length
    // A relay without a name for its store doesn't reach it yet, and takes none.
    for (const { revokes = '', token: revocation } of store ? due : []) {
      const { ok, status, cid, error } = await post({ revocation, token: revoked.get(revokes)?.token })
      // Only the relay itself can take or refuse one: a proxy, or a server without these routes, says nothing of it.
      const isTaken = ok && cid === revokes
      if (isTaken || (status < 500 && FINAL.has(error))) {
        remember(address, revokes, isTaken)
        waiting -= 1
        // One that it has no room for holds up no other.
      } else if (error !== 'unavailable') break
    }
    return waiting === 0 ? 'done' : 'later'
  } catch {
    // Locked or disconnected in the meantime.
    return 'later'
  } finally {
    setWaiting(address, waiting)
  }
}

async function post(body: object) {
  const response = await fetch('/relay/revocations', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE),
  })
  const { ok, status } = response
  const { cid, error } = Object(await response.json().catch(() => 0))
  return { ok, status, cid, error }
}
