import { type Asked, gather, inputOfMany, inputOfOne } from '../batches/gather.ts'
import { mayBeOfOthers, resultsOf } from '../batches/results.ts'
import { parseJson } from '../json.ts'
import { atEndOfTurn } from '../plugin/turns.ts'
import type { AnswerMessage, CallMessage } from './protocol.ts'

/**
 * Shared calls under way, of which the worker runs one. What comes meanwhile waits, and shares the next one: it would wait for the worker
 * anyway, and the more share a call, the less each costs.
 */
const MOST_UNDER_WAY = 2

/** A call of `validate_invocation` waiting for the end of the turn. */
interface Waiting extends Asked {
  readonly id: number
}

/** The owner of the calls. */
export interface TurnOwner {
  /** Whether a caller still waits for this. */
  awaits(id: number): boolean
  /** Sends a call to the worker. */
  send(call: CallMessage): void
  /** A call was answered. */
  answered(id: number, answer: unknown): void
}

/**
 * Groups the calls of `validate_invocation` in one turn of the event loop: those with the same checks share one call,
 * which costs much less. Each gets the same result as alone: if the others could have affected it, it is asked again in
 * a separate call.
 */
export class Turn {
  readonly #owner: TurnOwner
  #waiting: Waiting[] = []
  /** Grouped calls, by the id of the shared call. */
  readonly #asked = new Map<number, readonly Waiting[]>()
  #last = 0

  constructor(owner: TurnOwner) {
    this.#owner = owner
  }

  /** Adds a call. */
  add(id: number, asked: Asked): void {
    this.#waiting.push({ id, ...asked })
    if (this.#waiting.length === 1) atEndOfTurn(() => this.#end())
  }

  /** Takes an answer to a shared call. @returns whether it was one */
  take([id, output, failure]: AnswerMessage): boolean {
    const part = this.#asked.get(id)
    if (!part) return false
    this.#asked.delete(id)
    try {
      if (failure !== undefined) throw new Error(failure)
      const results = resultsOf(output === undefined ? undefined : parseJson(output), part.length)
      for (const [at, each] of part.entries()) {
        const result = results[at]
        if (result === undefined || mayBeOfOthers(result)) this.#askAlone(each)
        else this.#owner.answered(each.id, result)
      }
    } catch {
      // The error may concern any of them, so ask for each separately.
      for (const each of part) this.#askAlone(each)
    }
    if (this.#waiting.length > 0) this.#end()
    return true
  }

  /** Whether two calls share one. */
  isTogether(one: number, other: number): boolean {
    return one === other || this.#partOf(one).some(({ id }) => id === other)
  }

  /** Whether other callers wait for the same answer. */
  isAwaited(id: number): boolean {
    return this.#partOf(id).some((each) => each.id !== id && this.#owner.awaits(each.id))
  }

  /** Forgets everything, because the worker is gone. */
  clear(): void {
    this.#waiting = []
    this.#asked.clear()
  }

  #end(): void {
    if (this.#asked.size >= MOST_UNDER_WAY) return
    const wanted = this.#waiting.filter(({ id }) => this.#owner.awaits(id))
    this.#waiting = []
    for (const part of gather(wanted)) {
      const [one, ...others] = part
      if (one && others.length === 0) this.#askAlone(one)
      else this.#askTogether(part)
    }
  }

  #askTogether(part: readonly Waiting[]): void {
    // Negative, so that it never equals the id of a caller's own call.
    this.#last -= 1
    this.#asked.set(this.#last, part)
    this.#owner.send([this.#last, 'validate_batch', inputOfMany(part)])
  }

  #askAlone(each: Waiting): void {
    if (this.#owner.awaits(each.id)) this.#owner.send([each.id, 'validate_invocation', inputOfOne(each)])
  }

  #partOf(id: number): readonly Waiting[] {
    for (const part of this.#asked.values()) if (part.some((each) => each.id === id)) return part
    return []
  }
}
