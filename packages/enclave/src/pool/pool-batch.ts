import { isTooMuchWork, mayBeOfOthers, resultsOf, withReplays } from '../batches/results.ts'
import { EnclaveError } from '../errors.ts'
import type { ValidationResult } from '../generated/contract.ts'
import { parseJson, stringifyJson } from '../json.ts'
import type { ValidationChecks } from '../types.ts'

/**
 * Invocations per chunk: enough for checking their signatures together to pay off (one per call costs five times as
 * much, and more than 64 gain nothing), and few enough to share them evenly and report progress about 30 times a
 * second.
 */
const MOST = 128
const FEWEST = 64

/** Characters of token text per chunk, unless the checks themselves are longer. */
const MOST_TEXT = 256 * 1024

/** Invocations to validate, and what to check each against. */
export interface BatchInput extends ValidationChecks {
  /** Token texts, one invocation each. */
  readonly invocations: readonly string[]
}

/** Progress of a batch, in invocations. */
export interface BatchProgress {
  readonly done: number
  readonly total: number
}

/** The part of a batch that one worker validates in one call. */
export interface Chunk {
  readonly batch: Batch
  /** Where each of its invocations is in the batch. */
  readonly positions: readonly number[]
  readonly invocations: readonly string[]
  /** How many workers have ended while processing it. */
  losses: number
}

/** A batch of invocations, split into chunks and put together from their results. */
export class Batch {
  readonly chunks: readonly Chunk[]
  /** Every result, in the order of the invocations. */
  readonly results: Promise<readonly ValidationResult[]>
  readonly #checks: string
  readonly #total: number
  readonly #onProgress: ((progress: BatchProgress) => void) | undefined
  /** Whether its invocations are independent, so that none counts as a replay of another. */
  readonly #isApart: boolean
  readonly #results: ValidationResult[] = []
  #settle: { resolve(results: readonly ValidationResult[]): void; reject(reason: unknown): void }
  #settled = false
  #done = 0

  /**
   * @param workers how many share it
   * @param options.isApart whether each result is as if validated alone, even if another invocation has the same CID
   * @throws EnclaveError OPERATION_FAILED if an invocation isn't text; TypeError if a check can't be written as JSON
   */
  constructor(
    { invocations, ...checks }: BatchInput,
    workers: number,
    {
      onProgress,
      isApart = false,
    }: { onProgress?: ((progress: BatchProgress) => void) | undefined; isApart?: boolean } = {},
  ) {
    const odd = invocations.findIndex((text) => typeof text !== 'string')
    if (odd >= 0) {
      throw new EnclaveError('OPERATION_FAILED', `invocations[${odd}] is not a token's text.`, { index: odd })
    }
    // The same time for all chunks, so that it doesn't matter when each is processed.
    const { now = Math.floor(Date.now() / 1000) } = checks
    this.#checks = stringifyJson({ ...checks, now }).slice(1)
    this.#total = invocations.length
    this.#onProgress = onProgress
    this.#isApart = isApart
    // Each chunk carries all the checks. In a large batch, larger chunks repeat them less.
    const most = Math.min(MOST, Math.max(FEWEST, Math.ceil(invocations.length / (workers * 2))))
    const parts = split(invocations, most, Math.max(MOST_TEXT, this.#checks.length))
    let start = 0
    this.chunks = parts.map((part) => {
      const first = start
      start += part.length
      return this.#chunk(part.map((text, at) => [first + at, text]))
    })
    const { promise, ...settle } = withResolvers<readonly ValidationResult[]>()
    this.results = promise
    this.#settle = settle
  }

  /** Whether it has its results or has failed, so that remaining work on it is pointless. */
  get settled(): boolean {
    return this.#settled
  }

  /** The call's input. */
  inputOf({ invocations }: Chunk): string {
    return `{"invocations":${JSON.stringify(invocations)},${this.#checks}`
  }

  /**
   * Takes the plugin's answer for a chunk. The last one settles the batch, as does a refusal or an invalid answer.
   * @returns what to ask again: invocations for which a call had no work left, in two halves. Only an invocation that
   *   is `TooMuchWork` alone keeps that result, so that results don't depend on the chunk.
   */
  take({ positions, invocations }: Chunk, output: string | undefined): readonly Chunk[] {
    if (this.#settled) return []
    const again: [number, string][] = []
    try {
      const results = resultsOf(output === undefined ? undefined : parseJson(output), invocations.length)
      for (const [at, position] of positions.entries()) {
        const [result, text] = [results[at], invocations[at]]
        if (result === undefined || text === undefined) continue
        const isOfOthers = this.#isApart ? mayBeOfOthers : isTooMuchWork
        if (positions.length > 1 && isOfOthers(result)) again.push([position, text])
        else this.#results[position] = result
      }
      this.#done += positions.length - again.length
      this.#onProgress?.({ done: this.#done, total: this.#total })
    } catch (error) {
      this.fail(error)
      return []
    }
    if (this.#done === this.#total && !this.#settled) {
      this.#settled = true
      this.#settle.resolve(this.#isApart ? this.#results : withReplays(this.#results))
    }
    const half = Math.ceil(again.length / 2)
    const halves = [again.slice(0, half), again.slice(half)]
    return halves.filter((part) => part.length > 0).map((part) => this.#chunk(part))
  }

  #chunk(part: readonly (readonly [number, string])[]): Chunk {
    const positions = part.map(([position]) => position)
    return { batch: this, positions, invocations: part.map(([, text]) => text), losses: 0 }
  }

  /** Settles the batch as failed. */
  fail(reason: unknown): void {
    if (this.#settled) return
    this.#settled = true
    this.#settle.reject(reason)
  }
}

/** Splits a list of texts in order. Each part has a maximum count and length; a single text may be longer. */
function split(texts: readonly string[], most: number, mostText: number): string[][] {
  const parts: string[][] = []
  let part: string[] = []
  let length = 0
  for (const text of texts) {
    if (part.length > 0 && (part.length === most || length + text.length > mostText)) {
      parts.push(part)
      part = []
      length = 0
    }
    part.push(text)
    length += text.length
  }
  if (part.length > 0) parts.push(part)
  return parts
}

/** `Promise.withResolvers`, which needs Node 22. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
