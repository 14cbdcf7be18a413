import { type Asked, gather, inputOfMany, inputOfOne } from '../batches/gather.ts'
import { mayBeOfOthers, resultsOf } from '../batches/results.ts'
import { parseJson } from '../json.ts'
import { atEndOfTurn } from '../plugin/turns.ts'
import type { AnswerMessage, CallMessage } from './protocol.ts'

/** A call of `validate_invocation` that waits for the end of the turn. */
interface Waiting extends Asked {
  readonly id: number
}

/** Whoever has the calls. */
export interface TurnOwner {
  /** Whether somebody still waits for a call. */
  awaits(id: number): boolean
  /** Sends a call to the worker. */
  send(call: CallMessage): void
  /** A call was answered. */
  answered(id: number, answer: unknown): void
}

/**
 * The calls of `validate_invocation` of one turn of the event loop: those that are checked against the same are asked about in one
 * call, which costs much less. Each has the answer that it would have alone: where the others could have made another one of it, it is
 * asked about once more, in a call of its own.
 */
export class Turn {
  readonly #owner: TurnOwner
  #waiting: Waiting[] = []
  /** What was asked about together, by the id of the one call for it. */
  readonly #asked = new Map<number, readonly Waiting[]>()
  #last = 0

  constructor(owner: TurnOwner) {
    this.#owner = owner
  }

  /** Takes a call in. */
  add(id: number, asked: Asked): void {
    this.#waiting.push({ id, ...asked })
    if (this.#waiting.length === 1) atEndOfTurn(() => this.#end())
  }

  /** Takes an answer, where it is one of ours. */
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
      // Whose it was nobody knows: each hears of its own.
      for (const each of part) this.#askAlone(each)
    }
    return true
  }

  /** Whether two calls were asked about together. */
  isTogether(one: number, other: number): boolean {
    return one === other || this.#partOf(one).some(({ id }) => id === other)
  }

  /** Whether others wait for the same answer as this call. */
  isAwaited(id: number): boolean {
    return this.#partOf(id).some((each) => each.id !== id && this.#owner.awaits(each.id))
  }

  /** Forgets all of it: the worker is gone. */
  clear(): void {
    this.#waiting = []
    this.#asked.clear()
  }

  #end(): void {
    const wanted = this.#waiting.filter(({ id }) => this.#owner.awaits(id))
    this.#waiting = []
    for (const part of gather(wanted)) {
      const [one, ...others] = part
      if (one && others.length === 0) this.#askAlone(one)
      else this.#askTogether(part)
    }
  }

  #askTogether(part: readonly Waiting[]): void {
    // Below the ids of the callers' own calls.
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
