// Revocation feeds (docs/relay.md).
import { Hono } from 'hono'
import type { Bounds } from '../bounds.ts'
import { checkRevocation } from '../checking/check.ts'
import { eventStream } from '../feed/event-stream.ts'
import type { Listeners } from '../feed/listeners.ts'
import { snapshotOf } from '../feed/snapshot.ts'
import type { RelayStore } from '../stores/store.ts'
import { eventAnswer, HEADERS, RelayError } from './answers.ts'
import { readJson } from './body.ts'
import { authorize, type CallerOptions } from './caller.ts'
import type { RouteEnv } from './client.ts'
import { ListenerLimits } from './listener-limits.ts'
import type { Rates } from './rates.ts'

/** Longest body: a revocation and the token it revokes, in bytes. */
const LONGEST_BODY = 128 * 1_024
/** How long a revocation is stored after the delegation has expired, for services whose clock is slow. In seconds. */
const GRACE = 3_600

export interface RevocationOptions extends CallerOptions {
  readonly store: RelayStore
  readonly bounds: Bounds
  readonly rates: Rates
  readonly listeners: Listeners
  readonly owners: ReadonlySet<string>
  readonly mostListeners: number
  readonly mostListenersEach: number
}

export function revocationRoutes(options: RevocationOptions): Hono<RouteEnv> {
  const { store, bounds, rates, clock, enclave, queue, owners, listeners } = options
  const routes = new Hono<RouteEnv>()
  const places = new ListenerLimits(options.mostListeners, options.mostListenersEach)

  routes.post('/', async ({ req: { raw }, env: { address } }) => {
    if (!rates.take('revoke', address, clock())) throw new RelayError('too_many_requests')
    const { revocation, token, ...others } = await readJson(raw, LONGEST_BODY)
    if (typeof revocation !== 'string' || typeof token !== 'string' || Object.keys(others).length > 0)
      throw new RelayError('bad_request')
    if (revocation.length > bounds.revocationLength) throw new RelayError('too_large')
    const now = Math.floor(clock() / 1_000)
    const checked = await queue.run(address, () => checkRevocation(enclave, revocation, token, now))
    if ('rule' in checked) throw new RelayError('not_a_revocation', checked.rule)
    const { expiresAt, ...found } = checked
    const result = await store.addRevocation({
      ...found,
      revocation: revocation.replace(/\s/g, ''),
      until: expiresAt === null ? null : (expiresAt + GRACE) * 1_000,
      isReserved: owners.has(found.subject),
    })
    if (result === 'full') throw new RelayError('unavailable')
    return Response.json({ cid: found.cid }, { status: result === 'added' ? 201 : 200, headers: HEADERS })
  })

  routes.get('/', async ({ req: { raw }, env: client }) => {
    if (!rates.take('feed', client.address, clock())) throw new RelayError('too_many_requests')
    const { subject, chain } = await authorize(options, raw, client.address, '/relay/revocations/read')
    // The permission to listen is a grant too, and can be revoked.
    if (await store.hasRevoked(subject, chain)) throw new RelayError('forbidden', 'Revoked')
    const [last, epoch] = await Promise.all([store.lastSeq(subject), store.epoch()])
    if ((raw.headers.get('accept') ?? '').includes('text/event-stream')) {
      if (raw.method === 'HEAD') return eventAnswer(null)
      const seq = resumeFrom(raw.headers.get('last-event-id'), epoch, last)
      const onEnd = owners.has(subject) ? () => {} : places.take(client.address)
      if (typeof onEnd === 'string') throw new RelayError(onEnd)
      const disconnect = client.disconnect && (() => client.disconnect?.())
      return eventAnswer(eventStream(listeners, { subject, chain, seq, epoch, clock, disconnect, onEnd }))
    }
    // A weak tag, because a snapshot that still has expired revocations is just as good.
    const etag = `W/"${epoch}.${last}"`
    const headers = {
      ...HEADERS,
      'cache-control': 'private, no-cache',
      'content-type': 'application/json',
      etag,
    }
    const known = (raw.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim())
    if (known.includes(etag)) return new Response(null, { status: 304, headers })
    return new Response(snapshotOf(store, subject, last, epoch), { headers })
  })

  return routes
}

/**
 * The revocation after which a listener resumes; undefined if its last event isn't from this store, or the store has
 * been restored from a backup.
 */
function resumeFrom(lastEventId: string | null, epoch: string, last: number): number | undefined {
  if (lastEventId === null || lastEventId === '') return 0
  const [, known, seq] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(lastEventId) ?? []
  return known === epoch && Number(seq) <= last ? Number(seq) : undefined
}
