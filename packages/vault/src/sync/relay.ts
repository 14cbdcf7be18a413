// Calls to a relay's records (docs/relay.md). The relay is not trusted: whatever it answers, a call ends, and takes a
// limited amount of memory.
import * as v from 'valibot'
import { chunksOf } from '../base/response-body.ts'
import { RelayFailure } from './relay-failure.ts'
import { jsonOf, LONGEST_ANSWER, PATIENCE, parsed, RelayHttp, type RelayPlace } from './relay-http.ts'

/** The longest record, in bytes. */
export const LONGEST_RECORD = 786_432
/** The most records in one answer. */
const MOST_RECORDS = 1_000
/** The longest answer with records, in bytes: 4 MiB of them in base64url, or one that is longer, and what is around them. */
const LONGEST_PAGE = 7 << 20
/** The most that is read of one stream of hints, in bytes. Then it begins again. */
const LONGEST_STREAM = 4 << 20
/** The longest line of a stream, in characters. */
const LONGEST_LINE = 4_096
/** How long a stream may be silent, in milliseconds: the relay says every ten seconds that it's there. */
const SILENCE = 45_000

const id = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const record = v.pipe(v.string(), v.maxLength(Math.ceil((LONGEST_RECORD * 4) / 3)), v.regex(/^[\w-]+$/))
const page = v.object({ before: v.nullable(id), records: v.pipe(v.array(record), v.maxLength(MOST_RECORDS)) })
const appended = v.object({ place: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) })

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

/**
 * Whether a relay keeps records of devices: it then asks who is calling, and any other server has no such address.
 * @throws RelayFailure if it can't be reached
 */
export async function keepsRecords(place: RelayPlace): Promise<boolean> {
  const http = new RelayHttp(place)
  try {
    await http.limited(PATIENCE, (signal) => http.ask('/records/read', {}, { method: 'POST' }, signal))
    return false
  } catch (error) {
    if (error instanceof RelayFailure && (error.why === 'network' || error.why === 'busy')) throw error
    return error instanceof RelayFailure && error.answer === 'unauthorized'
  }
}

export interface RelayOptions extends RelayPlace {
  /** The text of an invocation by this device. @param relay the relay's DID */
  readonly authorize: (call: RelayCall, relay: string) => Promise<string>
}

/** The records of one account at a relay. */
export class Relay {
  readonly #place: RelayPlace
  readonly #http: RelayHttp
  readonly #authorize: RelayOptions['authorize']

  constructor({ authorize, ...place }: RelayOptions) {
    this.#place = place
    this.#http = new RelayHttp(place)
    this.#authorize = authorize
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

  /**
   * Gives the relay the record of a recovery code, at the code's own place.
   * @param token a call that the place's key has signed
   * @throws RelayFailure
   */
  async put(record: string, recordId: string, token: string): Promise<void> {
    await new Relay({ ...this.#place, authorize: async () => token }).append(record, recordId)
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
    await this.#http.limited(PATIENCE, async (signal) => {
      const init = { method: 'POST', body: JSON.stringify({ revocation, token }) }
      await jsonOf(await this.#http.ask('/revocations', {}, init, signal), LONGEST_ANSWER)
    })
  }

  /**
   * Listens for hints until the stream ends.
   * @param hint called for each; it must not throw
   * @throws RelayFailure, also when it ends
   */
  async watch(hint: () => void): Promise<never> {
    await this.#http.limited(SILENCE, async (signal, again) => {
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
    return await this.#http.limited(PATIENCE, async (signal) => {
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
    const token = await this.#authorize(call, this.#http.audience)
    return await this.#http.ask(`/records/${name}`, { authorization: `Bearer ${token}` }, init, signal)
  }
}
