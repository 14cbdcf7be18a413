// HTTP with a relay that is not trusted: whatever it answers, a call ends, and takes a limited amount of memory.
import * as v from 'valibot'
import type { Clock } from '../base/clock.ts'
import { didWebOf } from '../base/did-web.ts'
import { bytesWithin } from '../base/response-body.ts'
import { RelayFailure, type RelayWhy } from './relay-failure.ts'

/** The longest answer without records, in bytes. */
export const LONGEST_ANSWER = 16_384
/** How long a call may take, in milliseconds. */
export const PATIENCE = 60_000
/** The longest that a relay may ask to wait, in milliseconds. */
const LONGEST_WAIT = 600_000

/** What the relay says if the clocks differ. */
const CLOCK_RULES: ReadonlySet<string> = new Set(['Expired', 'TooEarly'])

const refusal = v.object({
  error: v.pipe(v.string(), v.maxLength(100)),
  rule: v.optional(v.pipe(v.string(), v.maxLength(100))),
})

/** Where a relay is, and how it is reached. */
export interface RelayPlace {
  /** Its base URL, such as `https://vault.example/relay`. */
  readonly url: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** Ends every call. */
  readonly signal: AbortSignal
}

/** Calls to one relay. */
export class RelayHttp {
  readonly #place: RelayPlace
  /** The relay's DID, which invocations name. */
  readonly audience: string

  constructor(place: RelayPlace) {
    this.#place = place
    this.audience = didWebOf(place.url)
  }

  /** @param path below the relay's URL @throws RelayFailure for anything but success */
  async ask(
    path: string,
    authorization: Readonly<Record<string, string>>,
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<Response> {
    const { url, fetch } = this.#place
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
  async limited<T>(
    milliseconds: number,
    work: (signal: AbortSignal, again: () => void) => Promise<T>,
  ): Promise<T> {
    const { clock, signal } = this.#place
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

/** @param longest in bytes @throws RelayFailure */
export async function jsonOf(response: Response, longest: number): Promise<unknown> {
  const bytes = await bytesWithin(response, longest)
  if (!bytes) throw new RelayFailure('nonsense')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new RelayFailure('nonsense', { cause })
  }
}

/** @throws RelayFailure if it isn't what a relay answers */
export function parsed<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
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
  const { status } = response
  return new RelayFailure(isOfClock ? 'clock' : whyOf(status, error), { rule, wait, answer: error, status })
}

function whyOf(status: number, error: string | undefined): RelayWhy {
  if (error === 'conflict') return 'conflict'
  if (error === 'full') return 'full'
  if (status === 429 || status >= 500) return 'busy'
  return status >= 400 && status < 500 ? 'refused' : 'nonsense'
}
