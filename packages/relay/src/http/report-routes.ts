// Reports of use (docs/relay.md).
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { Bounds } from '../bounds.ts'
import type { RelayStore, Report } from '../stores/store.ts'
import { HEADERS, RelayError } from './answers.ts'
import { decodeBase64url, longestBody, readJson } from './body.ts'
import { authorize, type CallerOptions, LONGEST_DID } from './caller.ts'
import type { RouteEnv } from './client.ts'
import type { Rates } from './rates.ts'
import { takeReportRoom } from './report-room.ts'

/** Below the command to read the feed, so a service that may follow an owner may also report to them. */
const REPORT = '/relay/revocations/read/report'
const READ = '/relay/reports/read'
/** Length of an X25519 key, in bytes. */
const KEY_LENGTH = 32
/** Reports that are read at once. */
const MOST_SENDERS = 16
/** A card is written again after this time, so that it outlives the owner's absence. In milliseconds. */
const DAY = 86_400_000

export interface ReportOptions extends CallerOptions {
  readonly store: RelayStore
  readonly bounds: Bounds
  readonly rates: Rates
  readonly owners: ReadonlySet<string>
}

export function reportRoutes(options: ReportOptions): Hono<RouteEnv> {
  const { store, bounds, rates, clock, owners } = options
  const routes = new Hono<RouteEnv>()

  /** The caller has the owner's permission. Whoever it was passed on to shares the place of the one who got it. */
  async function senderOf(request: Request, address: string) {
    if (!rates.take('report', address, clock())) throw new RelayError('too_many_requests')
    const { subject: owner, grantee, chain, args } = await authorize(options, request, address, REPORT)
    if (grantee === undefined || grantee === owner || owner.length > LONGEST_DID)
      throw new RelayError('forbidden', 'InvalidSubject')
    if (await store.hasRevoked(owner, chain)) throw new RelayError('forbidden', 'Revoked')
    return { owner, sender: grantee, args }
  }

  function takeRoom(address: string, owner: string, before: Report | undefined, after: Uint8Array): void {
    if (!owners.has(owner))
      takeReportRoom(rates, { address, now: clock() }, before?.report.length ?? 0, after.length)
  }

  routes.post('/card', async ({ req: { raw }, env: { address } }) => {
    const { owner } = await senderOf(raw, address)
    const stored = await store.readReport(owner, owner, clock())
    if (!stored) throw new RelayError('not_found')
    return Response.json({ card: cardOf(stored.report).token }, { headers: HEADERS })
  })

  routes.post('/', async ({ req: { raw }, env: { address } }) => {
    const { owner, sender, args } = await senderOf(raw, address)
    const { report: text, ...others } = await readJson(raw, longestBody(bounds.reportLength))
    const report = decodeBase64url(text)
    if (report.length > bounds.reportLength) throw new RelayError('too_large')
    if (report.length === 0 || Object.keys(others).length > 0) throw new RelayError('bad_request')
    // The permission is only for this report.
    const isSigned = args.report === createHash('sha256').update(report).digest('base64url')
    if (!isSigned) throw new RelayError('forbidden', 'MatchError')
    // Without a card there is no one to read it.
    if (!(await store.readReport(owner, owner, clock()))) throw new RelayError('not_found')
    const before = await store.readReport(owner, sender, clock())
    takeRoom(address, owner, before, report)
    const result = await store.putReport({ owner, sender, report, isReserved: owners.has(owner) }, clock())
    if (result === 'full') throw new RelayError('unavailable')
    return new Response(null, { status: 204, headers: HEADERS })
  })

  routes.post('/read', async ({ req: { raw }, env: { address } }) => {
    if (!rates.take('read', address, clock())) throw new RelayError('too_many_requests')
    const token = raw.headers.get('authorization')?.replace(/^Bearer /i, '') ?? ''
    const { subject: owner, issuer, args } = await authorize(options, raw, address, READ)
    // Only the owner: the card says which key reports are sealed to.
    if (issuer !== owner || owner.length > LONGEST_DID) throw new RelayError('forbidden', 'InvalidSubject')
    const { key, from } = args
    const senders: unknown[] = Array.isArray(from) ? from : []
    if (!Array.isArray(from) || from.length > MOST_SENDERS || typeof key !== 'string')
      throw new RelayError('bad_request')
    if (!senders.every(isSender) || decodeBase64url(key).length !== KEY_LENGTH)
      throw new RelayError('bad_request')
    await keepCard(owner, key, token, address)
    const reports: { from: string; report: string }[] = []
    for (const sender of senders) {
      const stored = sender === owner ? undefined : await store.readReport(owner, sender, clock())
      if (stored) reports.push({ from: sender, report: Buffer.from(stored.report).toString('base64url') })
    }
    return Response.json({ reports }, { headers: HEADERS })
  })

  async function keepCard(owner: string, key: string, token: string, address: string): Promise<void> {
    const now = clock()
    const stored = await store.readReport(owner, owner, now)
    const isFresh = stored !== undefined && stored.until - now > bounds.reportLifetime - DAY
    if (isFresh && cardOf(stored.report).key === key) return
    const report = Buffer.from(JSON.stringify({ key, token }))
    takeRoom(address, owner, stored, report)
    const card = { owner, sender: owner, report, isReserved: owners.has(owner) }
    if ((await store.putReport(card, now)) === 'full') throw new RelayError('unavailable')
  }

  return routes
}

const isSender = (did: unknown): did is string =>
  typeof did === 'string' && did.startsWith('did:') && did.length <= LONGEST_DID

function cardOf(stored: Uint8Array): { readonly key: unknown; readonly token: unknown } {
  const { key, token } = Object(JSON.parse(Buffer.from(stored).toString()))
  return { key, token }
}
