import {
  type CallOptions,
  type Enclave,
  EnclaveError,
  type EnclaveExport,
  isRefusal,
  type Refusal,
} from '@keyhole/enclave'
import * as v from 'valibot'
import { toBase64Url } from '../base/base64url.ts'

/** Milliseconds that one text may take. What an honest text takes is a thousandth of it. */
const DEADLINE = 10_000

/** Texts whose passing is remembered. */
const MOST_REMEMBERED = 4_096

/** Letters from which on a text is handed over in a task of its own: several at once would keep the page from hearing of a lock. */
const LONG = 250_000

/** What a stranger wrote, and what is to be done with it. */
export interface ForeignText {
  readonly text: string
  /** An invocation with its proofs is validated, delegations are verified. */
  readonly kind: 'delegations' | 'invocation'
  /** CID of the delegation that is meant, where there are several. */
  readonly leaf?: string | undefined
}

/** A verdict on a token, as far as it matters here. */
const verdict = v.object({
  valid: v.literal(false),
  error: v.looseObject({ name: v.string(), message: v.string() }),
})

/**
 * An enclave without keys, in which what strangers wrote is read first: it can be ended whatever it is doing, and another
 * one takes its place. It is started when it is first needed.
 */
export class Screen {
  readonly #start: () => Promise<Enclave>
  readonly #deadline: number
  readonly #passed = new Set<string>()
  #enclave: Promise<Enclave> | undefined
  /** When the next long text may be handed over. */
  #turn: Promise<void> = Promise.resolve()

  /** @param deadline milliseconds that one text may take */
  constructor(start: () => Promise<Enclave>, deadline = DEADLINE) {
    this.#start = start
    this.#deadline = deadline
  }

  /** Makes a call that needs no key. @throws EnclaveError as `Enclave.call`, and where no enclave can be started */
  async call(name: EnclaveExport, input: unknown, options?: CallOptions): Promise<unknown> {
    const enclave = await this.#running()
    if (lettersIn(input) > LONG) await this.#inTurn()
    return await enclave.callByName(name, input, options)
  }

  /**
   * Has texts judged that have not been judged before. Whether they hold is not asked here, but whether they can be read, and
   * judged in bounded time.
   *
   * @returns why one of them is not to be read beside keys; nothing where all may be
   * @throws EnclaveError where no enclave can be started, or it fails; the signal's reason
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

/** Letters of all the texts in an input. */
function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + lettersIn(each), 0)
}

/** What cannot be read, or costs too much, is refused. What does not hold is left to the call that it is for. */
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
  const error = `This text was still being checked after ${seconds} s, and nothing was done with it: no honest token takes as long.`
  return { error, code: 'TIMEOUT', name: 'TooMuchWork' }
}

async function digestOf({ text, kind }: ForeignText): Promise<string> {
  const bytes = new TextEncoder().encode(`${kind}\0${text}`)
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
