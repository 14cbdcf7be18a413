// Calls to a relay's records (docs/relay.md). The relay is not trusted: whatever it answers, a call ends, and takes a
// limited amount of memory.
import * as v from 'valibot'
import type { Clock } from '../base/clock.ts'
import { RelayFailure, type RelayWhy } from './relay-failure.ts'

/** The longest record, in bytes. */
export const LONGEST_RECORD = 786_432
/** The most records in one answer. */
const MOST_RECORDS = 1_000
/** The longest answer with records, in bytes: 4 MiB of them in base64url, or one that is longer, and what is around them. */
const LONGEST_PAGE = 7 << 20
const LONGEST_ANSWER = 16_384
/** The most that is read of one stream of hints, in bytes. Then it begins again. */
const LONGEST_STREAM = 4 << 20
/** The longest line of a stream, in characters. */
const LONGEST_LINE = 4_096
/** How long a call may take, in milliseconds. */
const PATIENCE = 60_000
/** How long a stream may be silent, in milliseconds: the relay says every ten seconds that it's there. */
const SILENCE = 45_000
/** The longest that a relay may ask to wait, in milliseconds. */
const LONGEST_WAIT = 600_000

/** What the relay says if the clocks differ. */
const CLOCK_RULES: ReadonlySet<string> = new Set(['Expired', 'TooEarly'])

const id = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const record = v.pipe(v.string(), v.maxLength(Math.ceil((LONGEST_RECORD * 4) / 3)), v.regex(/^[\w-]+$/))
const page = v.object({ before: v.nullable(id), records: v.pipe(v.array(record), v.maxLength(MOST_RECORDS)) })
const appended = v.object({ place: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) })
const refusal = v.object({ error: v.string(), rule: v.optional(v.pipe(v.string(), v.maxLength(100))) })

/** A part of the relay's list. */
export interface RelayPage {
  /** Its digest of every record before; null if it has fewer. */
  readonly before: string | null
  /** In base64url. */
  readonly records: readonly string[]
}

/** What an invocation allows: one record, by its id; a part of the list; or hints. */
export type RelayCall =
  | { readonly append: { readonly record: string } }
  | { readonly read: { readonly from: number } }
  | { readonly watch: Record<never, never> }

export interface RelayOptions {
  /** Its base URL, such as `https://vault.example/relay`. */
  readonly url: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** The text of an invocation by this device. @param relay the relay's DID */
  readonly authorize: (call: RelayCall, relay: string) => Promise<string>
  /** Ends every call. */
  readonly signal: AbortSignal
}

/** The records of one account at a relay. */
export class Relay {
  readonly #options: RelayOptions
  readonly #audience: string

  constructor(options: RelayOptions) {
    this.#options = options
    this.#audience = `did:web:${new URL(options.url).host.replace(':', '%3A')}`
  }

  /**
   * Adds a record. The same one is added once.
   * @param record in base64url @param recordId its SHA-256, in base64url
   * @param headsRead for a head: how many were read
   * @throws RelayFailure
   */
  async append(record: string, recordId: string, headsRead?: number): Promise<number> {
    const body = { record, ...(headsRead !== undefined && { heads_read: headsRead }) }
    const answer = await this.#post('append', { append: { record: recordId } }, body, LONGEST_ANSWER)
    return parsed(appended, answer).place
  }

  /** Reads from a place on. @throws RelayFailure */
  async read(from: number): Promise<RelayPage> {
    return parsed(page, await this.#post('read', { read: { from } }, undefined, LONGEST_PAGE))
  }

  /**
   * Posts the revocation of a removed device's permission. Posting it again does nothing.
   * @param token the permission
   * @throws RelayFailure
   */
  async revoke(revocation: string, token: string): Promise<void> {
    await this.#limited(PATIENCE, async (signal) => {
      const init = { method: 'POST', body: JSON.stringify({ revocation, token }) }
      await jsonOf(await this.#fetch('/revocations', {}, init, signal), LONGEST_ANSWER)
    })
  }

  /**
   * Listens for hints until the stream ends.
   * @param hint called for each; it must not throw
   * @throws RelayFailure, also when it ends
   */
  async watch(hint: () => void): Promise<never> {
    await this.#limited(SILENCE, async (signal, again) => {
      const response = await this.#ask('watch', { watch: {} }, { method: 'GET' }, signal)
      let [read, line] = [0, '']
      const decoder = new TextDecoder()
      for await (const bytes of chunksOf(response)) {
        again()
        read += bytes.length
        if (read > LONGEST_STREAM) throw new RelayFailure('network')
        const lines = (line + decoder.decode(bytes, { stream: true })).split('\n')
        line = lines.pop() ?? ''
        if (line.length > LONGEST_LINE) throw new RelayFailure('nonsense')
        if (lines.includes('event: changed')) hint()
      }
    })
    throw new RelayFailure('network')
  }

  async #post(
    name: 'append' | 'read',
    call: RelayCall,
    body: object | undefined,
    longest: number,
  ): Promise<unknown> {
    return await this.#limited(PATIENCE, async (signal) => {
      const init = { method: 'POST', ...(body && { body: JSON.stringify(body) }) }
      return await jsonOf(await this.#ask(name, call, init, signal), longest)
    })
  }

  async #ask(
    name: 'append' | 'read' | 'watch',
    call: RelayCall,
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<Response> {
    const token = await this.#options.authorize(call, this.#audience)
    return await this.#fetch(`/records/${name}`, { authorization: `Bearer ${token}` }, init, signal)
  }

  async #fetch(
    path: string,
    authorization: Readonly<Record<string, string>>,
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<Response> {
    const { url, fetch } = this.#options
    const type = init.body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { ...authorization, ...type }
    const more = { signal, headers, credentials: 'omit', redirect: 'error', cache: 'no-store' } as const
    const response = await fetch(url + path, { ...init, ...more }).catch((cause) => {
      throw new RelayFailure('network', { cause })
    })
    if (!response.ok) throw await failureOf(response)
    return response
  }

  /** Runs work that ends after so many milliseconds, counted from the last `again`. */
  async #limited<T>(
    milliseconds: number,
    work: (signal: AbortSignal, again: () => void) => Promise<T>,
  ): Promise<T> {
    const { clock, signal } = this.#options
    signal.throwIfAborted()
    const timer = new AbortController()
    let cancel = () => {}
    const again = () => {
      cancel()
      cancel = clock.after(milliseconds, () => timer.abort())
    }
    again()
    const either = AbortSignal.any([signal, timer.signal])
    try {
      return await orAborted(work(either, again), either)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof RelayFailure && !timer.signal.aborted) throw error
      // Anything else that a stream throws means that the connection is gone.
      if (timer.signal.aborted || isOfNetwork(error)) throw new RelayFailure('network', { cause: error })
      throw error
    } finally {
      cancel()
      timer.abort()
    }
  }
}

/** Some streams ignore a signal. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined)
  return await new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function isOfNetwork(error: unknown): boolean {
  return error instanceof TypeError || error instanceof DOMException
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) yield next.value
  } finally {
    // Ends the connection if this stopped early. It may already be gone.
    void reader?.cancel().catch(() => undefined)
  }
}

async function jsonOf(response: Response, longest: number): Promise<unknown> {
  let read = 0
  const chunks: Uint8Array[] = []
  for await (const bytes of chunksOf(response)) {
    read += bytes.length
    if (read > longest) throw new RelayFailure('nonsense')
    chunks.push(bytes)
  }
  const all = new Uint8Array(read)
  let at = 0
  for (const bytes of chunks) {
    all.set(bytes, at)
    at += bytes.length
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(all))
  } catch (cause) {
    throw new RelayFailure('nonsense', { cause })
  }
}

function parsed<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, answer)
  if (result.success) return result.output
  throw new RelayFailure('nonsense')
}

async function failureOf(response: Response): Promise<RelayFailure> {
  const answer = v.safeParse(refusal, await jsonOf(response, LONGEST_ANSWER).catch(() => undefined))
  const { error, rule } = answer.success ? answer.output : { error: undefined, rule: undefined }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const wait = seconds > 0 ? Math.min(seconds * 1_000, LONGEST_WAIT) : undefined
  const isOfClock = rule !== undefined && CLOCK_RULES.has(rule)
  return new RelayFailure(isOfClock ? 'clock' : whyOf(response.status, error), { rule, wait })
}

function whyOf(status: number, error: string | undefined): RelayWhy {
  if (error === 'conflict') return 'conflict'
  if (error === 'full') return 'full'
  if (status === 429 || status >= 500) return 'busy'
  return status >= 400 && status < 500 ? 'refused' : 'nonsense'
}
