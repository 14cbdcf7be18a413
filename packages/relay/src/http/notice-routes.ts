// Notices that a link was opened (docs/relay.md).
import { Hono } from 'hono'
import type { Bounds } from '../bounds.ts'
import type { RelayStore } from '../stores/store.ts'
import { HEADERS, RelayError } from './answers.ts'
import { decodeBase64url, longestBody, readJson } from './body.ts'
import type { RouteEnv } from './client.ts'
import type { Rates } from './rates.ts'
import { takeReportRoom } from './report-room.ts'

/** Length of the name of a place, in bytes: too long to guess. */
const PLACE_LENGTH = 32
/** Every notice has this length, in bytes, so that none says more by its size, and none takes less room than it counts for. */
const NOTICE_LENGTH = 1_024
/** Places that are read at once. */
const MOST_PLACES = 64
/** What notices are stored as. Reports have DIDs there. */
const SENDER = 'notice'

export interface NoticeOptions {
  readonly store: RelayStore
  readonly bounds: Bounds
  readonly rates: Rates
  readonly clock: () => number
}

/** Places for one sealed notice each. Whoever knows the name of a place may use it: a name is a secret of those who share a link. */
export function noticeRoutes({ store, rates, clock }: NoticeOptions): Hono<RouteEnv> {
  const routes = new Hono<RouteEnv>()
  const noticeIn = async (place: string) => (await store.readReport(place, SENDER, clock()))?.report

  routes.post('/', async ({ req: { raw }, env: { address } }) => {
    if (!rates.take('send', address, clock())) throw new RelayError('too_many_requests')
    const { place, notice: text, ...others } = await readJson(raw, longestBody(NOTICE_LENGTH))
    const notice = decodeBase64url(text)
    if (!isPlace(place) || notice.length !== NOTICE_LENGTH || Object.keys(others).length > 0)
      throw new RelayError('bad_request')
    const there = await noticeIn(place)
    // A sender that missed the answer may send the same notice again.
    if (there && Buffer.compare(there, notice) !== 0) throw new RelayError('full')
    if (!there) takeReportRoom(rates, { address, now: clock() }, 0, NOTICE_LENGTH)
    const isFull =
      !there &&
      (await store.putReport(
        { owner: place, sender: SENDER, report: notice, isReserved: false },
        clock(),
      )) === 'full'
    if (isFull) throw new RelayError('unavailable')
    return new Response(null, { status: 204, headers: HEADERS })
  })

  routes.post('/read', async ({ req: { raw }, env: { address } }) => {
    if (!rates.take('read', address, clock())) throw new RelayError('too_many_requests')
    const { places, ...others } = await readJson(raw, longestBody(MOST_PLACES * PLACE_LENGTH))
    if (!Array.isArray(places) || places.length > MOST_PLACES || Object.keys(others).length > 0)
      throw new RelayError('bad_request')
    const names: readonly unknown[] = places
    if (!names.every(isPlace)) throw new RelayError('bad_request')
    const notices: { place: string; notice: string }[] = []
    for (const place of new Set(names)) {
      const notice = await noticeIn(place)
      if (notice) notices.push({ place, notice: Buffer.from(notice).toString('base64url') })
    }
    return Response.json({ notices }, { headers: HEADERS })
  })

  return routes
}

function isPlace(name: unknown): name is string {
  return typeof name === 'string' && decodeBase64url(name).length === PLACE_LENGTH
}
