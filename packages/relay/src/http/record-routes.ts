// Records of an account's devices (docs/relay.md).
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { Bounds } from '../bounds.ts'
import { recordHints } from '../feed/record-hints.ts'
import type { RelayStore } from '../stores/store.ts'
import { eventAnswer, HEADERS, RelayError } from './answers.ts'
import { anySite } from './any-site.ts'
import { decodeBase64url, leastBytes, longestBody, readJson } from './body.ts'
import { authorize, type CallerOptions, LONGEST_DID } from './caller.ts'
import type { RouteEnv } from './client.ts'
import { ListenerLimits } from './listener-limits.ts'
import type { Act, Rates } from './rates.ts'
import { RecordDigests } from './record-digests.ts'

/** Records per answer. */
const PAGE = 1_000
/** Each started piece of a record of this length counts as one call for the rate. */
const RATE_PIECE = 65_536
/** The first byte of a head. */
const HEAD = 1

export interface RecordOptions extends CallerOptions {
  readonly store: RelayStore
  readonly bounds: Bounds
  readonly rates: Rates
  readonly mostListeners: number
  readonly mostListenersEach: number
}

export function recordRoutes(options: RecordOptions): Hono<RouteEnv> {
  const { store, bounds, rates, clock } = options
  const routes = new Hono<RouteEnv>()
  const digests = new RecordDigests(store)
  const places = new ListenerLimits(options.mostListeners, options.mostListenersEach)

  routes.use(anySite('GET', 'POST'))

  function take(act: Act, address: string, calls = 1): void {
    for (let call = 0; call < calls; call += 1)
      if (!rates.take(act, address, clock())) throw new RelayError('too_many_requests')
  }

  /** The caller has a device's key and the account's permission for it, which is revoked when the device is removed. */
  async function callerOf(request: Request, address: string, command: string) {
    const { subject: account, args, chain } = await authorize(options, request, address, command)
    if (account.length > LONGEST_DID) throw new RelayError('forbidden', 'InvalidSubject')
    if (await store.hasRevoked(account, chain)) throw new RelayError('forbidden', 'Revoked')
    return { account, args, chain }
  }

  routes.post('/append', async ({ req: { raw }, env: { address } }) => {
    take('append', address)
    const { account, args } = await callerOf(raw, address, '/relay/records/append')
    let pieces = 1
    /** Taken while it arrives: otherwise one network could have many long records held in memory. */
    const takePieces = (length: number) => {
      const needed = Math.ceil(length / RATE_PIECE) - pieces
      pieces += Math.max(needed, 0)
      take('append', address, needed)
    }
    const body = await readJson(raw, longestBody(bounds.recordLength), (length) =>
      takePieces(leastBytes(length)),
    )
    const { record: text, heads_read: headsRead, ...others } = body
    const record = decodeBase64url(text)
    if (record.length > bounds.recordLength) throw new RelayError('too_large')
    takePieces(record.length)
    // The permission is only for this record.
    const isSigned = args.record === createHash('sha256').update(record).digest('base64url')
    if (!isSigned) throw new RelayError('forbidden', 'MatchError')
    const isHead = record[0] === HEAD
    const isCount = Number.isSafeInteger(headsRead) && Number(headsRead) >= 0
    if (record.length === 0 || Object.keys(others).length > 0 || isHead !== isCount)
      throw new RelayError('bad_request')
    if (!isHead && headsRead !== undefined) throw new RelayError('bad_request')
    const added = await store.appendRecord({
      account,
      record,
      ...(isHead ? { headsRead: Number(headsRead) } : {}),
    })
    if (added.result === 'conflict') throw new RelayError('conflict')
    if (added.result === 'full') throw new RelayError(added.limit === 'account' ? 'full' : 'unavailable')
    const status = added.result === 'appended' ? 201 : 200
    return Response.json({ place: added.place }, { status, headers: HEADERS })
  })

  routes.post('/read', async ({ req: { raw }, env: { address } }) => {
    take('records', address)
    const { account, args } = await callerOf(raw, address, '/relay/records/read')
    const from = args.from
    if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 1)
      throw new RelayError('bad_request')
    const before = await digests.before(account, from)
    const records = before ? await store.recordsFrom(account, from, PAGE) : []
    const answer = {
      before: before?.toString('base64url') ?? null,
      records: records.map(({ record }) => Buffer.from(record).toString('base64url')),
    }
    return Response.json(answer, { headers: HEADERS })
  })

  routes.get('/watch', async ({ req: { raw }, env: { address } }) => {
    take('records', address)
    const { account, chain } = await callerOf(raw, address, '/relay/records/watch')
    if (raw.method === 'HEAD') return eventAnswer(null)
    const onEnd = places.take(address)
    if (typeof onEnd === 'string') throw new RelayError(onEnd)
    return eventAnswer(recordHints({ store, account, chain, clock, onEnd }))
  })

  return routes
}
