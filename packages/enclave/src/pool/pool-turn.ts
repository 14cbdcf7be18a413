import { type Asked, gather } from '../batches/gather.ts'
import type { ValidationResult } from '../generated/contract.ts'
import { parseJson } from '../json.ts'
import { atEndOfTurn } from '../plugin/turns.ts'
import type { BatchInput } from './pool-batch.ts'

/** An invocation waiting for the end of the turn. */
interface Waiting extends Asked {
  readonly signal: AbortSignal | undefined
  readonly resolve: (result: ValidationResult) => void
  readonly reject: (reason: unknown) => void
}

/** Validates invocations independently: none counts as a replay of another. */
type Validate = (input: BatchInput, signal: AbortSignal) => Promise<readonly ValidationResult[]>

/** Collects single invocations given to a pool in one turn of the event loop into one batch. */
export class PoolTurn {
  readonly #validate: Validate
  #waiting: Waiting[] = []

  constructor(validate: Validate) {
    this.#validate = validate
  }

  /** Adds an invocation. @throws as `Pool.validate` */
  add(asked: Asked, signal: AbortSignal | undefined): Promise<ValidationResult> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal?.reason)
      const settling =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          signal?.removeEventListener('abort', abort)
          settle(value)
        }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.push({ ...asked, signal, resolve: settling(resolve), reject: settling(reject) })
      if (this.#waiting.length === 1) atEndOfTurn(() => this.#end())
    })
  }

  #end(): void {
    const wanted = this.#waiting.filter(({ signal }) => !signal?.aborted)
    this.#waiting = []
    for (const part of gather(wanted)) void this.#ask(part)
  }

  async #ask(part: readonly Waiting[]): Promise<void> {
    const ending = endingWithAll(part)
    try {
      const results = await this.#validate(inputOf(part), ending.signal)
      for (const [at, { resolve, reject }] of part.entries()) {
        const result = results[at]
        if (result) resolve(result)
        else reject(new Error('There is no result of it.'))
      }
    } catch (error) {
      const [one, ...others] = part
      if (others.length === 0) one?.reject(error)
      // The error may concern any of them, so ask for each separately.
      else await Promise.all(part.filter(({ signal }) => !signal?.aborted).map((each) => this.#ask([each])))
    } finally {
      ending.forget()
    }
  }
}

function inputOf(part: readonly Waiting[]): BatchInput {
  const checks: unknown = parseJson(part[0]?.checks ?? '{}')
  return { ...(checks as object), invocations: part.map(({ invocation }) => invocation) }
}

/** A signal that aborts once all of these callers have aborted. */
function endingWithAll(part: readonly Waiting[]) {
  const controller = new AbortController()
  const signals = part.flatMap(({ signal }) => (signal ? [signal] : []))
  const abort = () => {
    if (part.every(({ signal }) => signal?.aborted)) controller.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', abort)
  const forget = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, forget }
}
