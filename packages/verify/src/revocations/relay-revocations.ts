// Listens to an owner's revocation feed on a relay (docs/relay.md).
import { VerifyError } from '../errors.ts'
import { Freshness } from '../stores/freshness.ts'
import { readEvents, type ServerEvent } from './event-reader.ts'
import { FeedRevocations } from './feed-revocations.ts'
import { RelayClock } from './relay-clock.ts'
import type { RevocationSource } from './revocation-source.ts'

export interface FeedOptions {
  /** The relay's base URL. */
  readonly relay: string | URL
  /** DID of the owner of the feed. */
  readonly owner: string
  /** Signs the permission to listen: a holder with the owner's grant of `/relay/revocations/read`. */
  readonly holder: {
    invoke(
      command: string,
      args: Record<string, unknown>,
      options: { readonly subject: string; readonly audience: string; readonly expiresIn: number },
    ): Promise<{ readonly token: string }>
  }
  /**
   * After this many seconds without a sign of life from the relay, no call under a grant is authorized. Default: 25;
   * the relay sends one every 10.
   */
  readonly freshness?: number
  readonly fetch?: typeof fetch
  /**
   * Milliseconds. Every clock must be within `freshness`, so that neither a sleeping machine nor a clock set back hides
   * a gap.
   */
  readonly clocks?: readonly (() => number)[]
  /** Called with each failed connection. The feed then reconnects. */
  readonly onError?: (error: unknown) => void
}

/** Revocations from a relay. */
export interface Feed extends RevocationSource {
  /** Resolves once the feed has been read for the first time. */
  readonly ready: Promise<void>
  /** Disconnects. Afterwards, no call under a grant is authorized. */
  close(): void
}

/** Longest pause between connections, in milliseconds. */
const LONGEST_PAUSE = 2_500

/** How much of `freshness` a sign of life may take longer to arrive than others before. The next one must come in time too. */
const MOST_DELAY = 1 / 4

/** Listens to a relay until closed. */
export function relayRevocations(options: FeedOptions): Feed {
  const { owner, holder, onError = () => {}, fetch: ask = fetch } = options
  const freshness = new Freshness(options.freshness, options.clocks)
  const quietAfter = freshness.seconds * 1_000
  const longestDelay = quietAfter * MOST_DELAY
  const url = new URL(`${String(options.relay).replace(/\/$/, '')}/revocations`)
  const audience = `did:web:${encodeURIComponent(url.host)}`
  const ended = new AbortController()
  let onReady = () => {}
  const ready = new Promise<void>((resolve) => {
    onReady = resolve
  })
  const known = new FeedRevocations()
  let lastId: string | undefined
  /** What the relay's clock last said, in seconds since 1970. */
  let relayTime = Number.NEGATIVE_INFINITY
  /** How often the relay has said that it is alive. */
  let signs = 0

  /**
   * A relay that is alive has sent all that it knew then, and on a slow way that may be long ago. A connection on which
   * it took much longer than before is given up, also because one of the clocks may have been set.
   */
  function confirm(now: unknown, clock: RelayClock): void {
    const arrival = freshness.now()
    const at = typeof now === 'number' ? clock.sentAt(now * 1_000, arrival) : arrival
    if (arrival.some((time, each) => time - (at[each] ?? time) > longestDelay))
      throw new Error('What the relay sends arrives late.')
    freshness.confirm(at)
  }

  function take({ type, data, id }: ServerEvent, clock: RelayClock): void {
    if (type === 'revocation') {
      const { cid, by, revocation, until = null } = Object(JSON.parse(data))
      const isUntil = until === null || typeof until === 'number'
      if (typeof cid !== 'string' || typeof revocation !== 'string' || !isBy(by) || !isUntil)
        throw new Error('The relay sent a revocation that is malformed.')
      // Only what has expired by the relay's clock and by this one: neither alone can be trusted with it.
      const now = Math.min(relayTime, Date.now() / 1_000)
      if (!known.add({ revokes: cid, by, revocation, until, length: data.length }, now))
        throw new Error('The relay sent more revocations, or longer ones, than a relay keeps.')
    }
    // A reset removes nothing: a revocation can't be undone.
    if (type === 'reset') lastId = undefined
    if (id !== undefined) {
      // It is sent back as a header, where other characters would fail each time.
      if (!/^[\x21-\x7e]{1,256}$/.test(id)) throw new Error('The relay sent an id that is malformed.')
      lastId = id
    }
    if (type === 'alive') {
      const { now } = Object(JSON.parse(data))
      if (typeof now === 'number') relayTime = now
      confirm(now, clock)
      signs += 1
      onReady()
    }
  }

  async function listen(): Promise<void> {
    const { token } = await holder.invoke(
      '/relay/revocations/read',
      {},
      { subject: owner, audience, expiresIn: 60 },
    )
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    }
    // A connection that has gone quiet may look open.
    const quiet = new AbortController()
    const clock = new RelayClock()
    let timer = setTimeout(() => quiet.abort(), quietAfter)
    try {
      const signal = AbortSignal.any([ended.signal, quiet.signal])
      const response = await ask(url, { headers, signal, redirect: 'error' })
      if (response.status !== 200 || !response.body)
        throw new Error(`The relay answered ${response.status}. Check the owner's grant of its feed.`)
      for await (const event of readEvents(response.body)) {
        take(event, clock)
        clearTimeout(timer)
        timer = setTimeout(() => quiet.abort(), quietAfter)
      }
    } finally {
      clearTimeout(timer)
      // Also ends a response that wasn't read completely.
      quiet.abort()
    }
  }

  async function run(): Promise<void> {
    let pause = 50
    while (!ended.signal.aborted) {
      const before = signs
      try {
        await listen()
      } catch (error) {
        if (!ended.signal.aborted) onError(error)
      }
      pause = signs === before ? Math.min(pause * 2, LONGEST_PAUSE) : 50
      await pauseFor(pause * (0.5 + Math.random() / 2), ended.signal)
    }
  }
  void run()

  return {
    ready,
    find(subject, chain) {
      if (subject !== owner)
        throw new VerifyError('REVOCATIONS_UNKNOWN', `This is the feed of ${owner}, not of ${subject}.`)
      if (ended.signal.aborted) throw new VerifyError('REVOCATIONS_UNKNOWN', 'The feed was closed.')
      freshness.check('relay')
      return known.find(chain)
    },
    close: () => ended.abort(),
  }
}

/** Whose revocation it is. A relay that says this wrongly withholds it, which it can do anyway. */
function isBy(by: unknown): by is readonly string[] | undefined {
  if (by === undefined) return true
  return Array.isArray(by) && by.length > 0 && by.length <= 2 && by.every((did) => typeof did === 'string')
}

function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
