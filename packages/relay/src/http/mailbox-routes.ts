// Mailboxes (docs/relay.md).
import { Hono } from 'hono'
import type { Bounds } from '../bounds.ts'
import type { RelayStore } from '../stores/store.ts'
import { HEADERS, RelayError } from './answers.ts'
import { anySite } from './any-site.ts'
import { decodeBase64url, longestBody, readJson } from './body.ts'
import { authorize, type CallerOptions, LONGEST_DID, LONGEST_MAILBOX_TOKEN } from './caller.ts'
import type { RouteEnv } from './client.ts'
import { HeldReads } from './held-reads.ts'
import type { Rates } from './rates.ts'

/** Time between two reads of a mailbox, in seconds. */
const INTERVAL = 5

export interface MailboxOptions extends CallerOptions {
  readonly store: RelayStore
  readonly bounds: Bounds
  readonly rates: Rates
}

export function mailboxRoutes(options: MailboxOptions): Hono<RouteEnv> {
  const { store, bounds, rates, clock } = options
  const routes = new Hono<RouteEnv>()
  const reads = new HeldReads(store, clock, bounds)

  routes.use(anySite('POST'))

  /** Only a mailbox's own key may open and read it, so the caller is the mailbox. */
  async function callerOf(request: Request, address: string, command: string) {
    const caller = await authorize(options, request, address, command, LONGEST_MAILBOX_TOKEN)
    const { issuer, subject, args } = caller
    if (issuer !== subject || subject.length > LONGEST_DID)
      throw new RelayError('forbidden', 'InvalidSubject')
    return { mailbox: subject, args }
  }

  routes.post('/', async ({ req: { raw }, env: { address } }) => {
    if (!rates.take('open', address, clock())) throw new RelayError('too_many_requests')
    const { mailbox } = await callerOf(raw, address, '/relay/mailbox/open')
    if ((await store.openMailbox(mailbox, clock())) === 'full') throw new RelayError('unavailable')
    const opened = await store.readMailbox(mailbox, clock())
    const left = Math.floor(((opened?.until ?? clock()) - clock()) / 1_000)
    return Response.json({ expires_in: left, interval: INTERVAL }, { status: 201, headers: HEADERS })
  })

  routes.post('/message', async ({ req: { raw }, env: { address } }) => {
    if (!rates.take('send', address, clock())) throw new RelayError('too_many_requests')
    const { mailbox, message, ...others } = await readJson(raw, longestBody(bounds.messageLength))
    if (typeof mailbox !== 'string' || mailbox.length > LONGEST_DID || Object.keys(others).length > 0)
      throw new RelayError('bad_request')
    const bytes = decodeBase64url(message)
    if (bytes.length > bounds.messageLength) throw new RelayError('too_large')
    if (bytes.length === 0) throw new RelayError('bad_request')
    const result = await store.putMessage(mailbox, bytes, clock())
    if (result === 'unknown') throw new RelayError('unknown_mailbox')
    if (result === 'full') throw new RelayError('unavailable')
    // A sender that missed the answer may send the same message again.
    if (result === 'taken' && !(await hasMessage(mailbox, bytes))) throw new RelayError('full')
    return new Response(null, { status: 204, headers: HEADERS })
  })

  async function hasMessage(mailbox: string, bytes: Uint8Array): Promise<boolean> {
    const known = await store.readMailbox(mailbox, clock())
    return known?.message !== undefined && Buffer.compare(known.message, bytes) === 0
  }

  routes.post('/read', async ({ req: { raw }, env: { address } }) => {
    if (!rates.take('read', address, clock())) throw new RelayError('too_many_requests')
    const { mailbox, args } = await callerOf(raw, address, '/relay/mailbox/read')
    const { wait = 0 } = args
    if (typeof wait !== 'number' || !Number.isInteger(wait) || wait < 0) throw new RelayError('bad_request')
    const message = Buffer.from(await reads.read(mailbox, wait, raw.signal)).toString('base64url')
    return Response.json({ message }, { headers: HEADERS })
  })

  return routes
}
