import {
  type AnyExport,
  type CallOptions,
  type Enclave,
  EnclaveError,
  isRefusal,
  type Refusal,
} from '@keyhole/enclave'
import * as v from 'valibot'
import { toBase64Url } from '../base/base64url.ts'

/** Time limit for one text, in milliseconds. An honest text takes a thousandth of it. */
const DEADLINE = 10_000

/** How many passed texts are remembered. */
const MOST_REMEMBERED = 4_096

/**
 * From this many letters on, a text is sent in a separate task: several at once would keep the page from hearing about
 * a lock.
 */
const LONG = 250_000

/** A text from a stranger, and how to check it. */
export interface ForeignText {
  readonly text: string
  /** An invocation with its proofs is validated; delegations are verified. */
  readonly kind: 'delegations' | 'invocation'
  /** CID of the delegation to check, if there are several. */
  readonly leaf?: string | undefined
}

/** The part of a verdict that matters here. */
const verdict = v.object({
  valid: v.literal(false),
  error: v.looseObject({ name: v.string(), message: v.string() }),
})

/**
 * An enclave without keys that reads texts from strangers first. It can be ended at any time and is then replaced.
 * Started when first needed.
 */
export class Screen {
  readonly #start: () => Promise<Enclave>
  readonly #deadline: number
  readonly #passed = new Set<string>()
  #enclave: Promise<Enclave> | undefined
  /** When the next long text may be sent. */
  #turn: Promise<void> = Promise.resolve()

  /** @param deadline time limit for one text, in milliseconds */
  constructor(start: () => Promise<Enclave>, deadline = DEADLINE) {
    this.#start = start
    this.#deadline = deadline
  }

  /** Makes a call that needs no key. @throws EnclaveError as `Enclave.call`, and if no enclave can be started */
  async call(name: AnyExport, input: unknown, options?: CallOptions): Promise<unknown> {
    const enclave = await this.#running()
    if (lettersIn(input) > LONG) await this.#inTurn()
    return await enclave.callByName(name, input, options)
  }

  /**
   * Checks texts that haven't been checked before: not whether they are valid, but whether they can be read and checked
   * in bounded time.
   * @returns why one of them mustn't reach an enclave with keys; undefined if all may
   * @throws EnclaveError if no enclave can be started, or it fails; the signal's reason
   */
  async pass(texts: readonly ForeignText[], signal?: AbortSignal): Promise<Refusal | undefined> {
    for (const text of texts) {
      const digest = await digestOf(text)
      if (this.#passed.has(digest)) continue
      const refusal = await this.#judge(text, signal)
      if (refusal) return refusal
      this.#remember(digest)
    }
    return undefined
  }

  /** Ends the enclave. The next call starts another one. */
  async close(): Promise<void> {
    const enclave = this.#enclave
    this.#enclave = undefined
    this.#passed.clear()
    await (await enclave?.catch(() => undefined))?.close()
  }

  async #judge({ text, kind, leaf }: ForeignText, signal?: AbortSignal): Promise<Refusal | undefined> {
    const options = { timeout: this.#deadline, ...(signal && { signal }) }
    try {
      const answer =
        kind === 'invocation'
          ? await this.call('validate_invocation', { invocation: text }, options)
          : await this.call('verify_token', { token: text, ...(leaf !== undefined && { leaf }) }, options)
      return refusalIn(answer)
    } catch (error) {
      if (!(error instanceof EnclaveError) || error.code !== 'TIMEOUT') throw error
      return tooLong(this.#deadline)
    }
  }

  #inTurn(): Promise<void> {
    const turn = this.#turn
    this.#turn = turn.then(() => new Promise((resolve) => setTimeout(resolve)))
    return turn
  }

  #running(): Promise<Enclave> {
    if (this.#enclave) return this.#enclave
    const starting = this.#start()
    this.#enclave = starting
    starting.catch(() => {
      if (this.#enclave === starting) this.#enclave = undefined
    })
    return starting
  }

  #remember(digest: string): void {
    const [oldest] = this.#passed
    if (oldest !== undefined && this.#passed.size >= MOST_REMEMBERED) this.#passed.delete(oldest)
    this.#passed.add(digest)
  }
}

/** Total length of all texts in an input. */
function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + lettersIn(each), 0)
}

/** Refuses what can't be read or costs too much. An invalid token is left to the actual call. */
function refusalIn(answer: unknown): Refusal | undefined {
  if (isRefusal(answer)) return answer
  const broken = v.safeParse(verdict, answer)
  if (!broken.success) return undefined
  const { name, message } = broken.output.error
  const isUnreadable = name === 'MalformedToken' || name === 'TooMuchWork'
  return isUnreadable ? { error: message, code: 'OPERATION_FAILED', name } : undefined
}

function tooLong(deadline: number): Refusal {
  const seconds = Math.round(deadline / 1_000)
  const error = `This text was still being checked after ${seconds} s, and nothing was done with it: no honest token takes that long.`
  return { error, code: 'TIMEOUT', name: 'TooMuchWork' }
}

async function digestOf({ text, kind }: ForeignText): Promise<string> {
  const bytes = new TextEncoder().encode(`${kind}\0${text}`)
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
