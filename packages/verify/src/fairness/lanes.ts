// Decides who is served first. A bad token costs as much to check as a good one, and a stranger may send any number. So
// calls whose proofs were good before have a separate checker. All others share another one, one at a time and in
// turns: strangers wait for strangers.
import { proofsIn } from './proofs-in.ts'
import { StrangerQueue } from './stranger-queue.ts'

/** The most recently used proofs are remembered: how many, and their total bytes. */
const MOST_PROOFS = 8_192
const MOST_BYTES = 8 << 20
/** How long after a known client's call another one is expected, in milliseconds. */
const STILL_THERE = 250

/** The result of a check. */
export interface Checked {
  /** How many proofs the token has, if it is good; otherwise undefined. */
  readonly proofs: number | undefined
  /** False if the result says nothing about the client. */
  readonly isTelling?: boolean
}

export class Lanes<Checker> {
  readonly #known: Checker
  readonly #strangers: Checker
  readonly #clock: () => number
  readonly #queue: StrangerQueue
  /** In the order of their last use. */
  readonly #proofs = new Set<string>()
  #bytes = 0
  #underWay = 0
  #lastKnown = Number.NEGATIVE_INFINITY

  /** @param clock monotonic, in milliseconds */
  constructor(
    { known, strangers }: { readonly known: Checker; readonly strangers: Checker },
    clock: () => number = () => performance.now(),
  ) {
    this.#known = known
    this.#strangers = strangers
    this.#clock = clock
    this.#queue = new StrangerQueue(
      () => this.#underWay > 0 || clock() - this.#lastKnown < STILL_THERE,
      clock,
    )
  }

  /**
   * Checks a token with the checker of its lane.
   *
   * @throws VerifyError BUSY if too many wait; CHECK_FAILED if the lanes are closed
   */
  async run<T extends Checked>(
    text: string,
    address: string | undefined,
    check: (checker: Checker) => Promise<T>,
  ): Promise<T> {
    const shown = proofsIn(text)
    const proofs = shown?.proofs ?? []
    // Every proof was good before. Only the invocation is new.
    const isKnown =
      proofs.length > 0 && shown?.invocations === 1 && proofs.every((proof) => this.#proofs.has(proof))
    let checked: T
    if (isKnown) {
      this.#underWay += 1
      try {
        checked = await check(this.#known)
      } finally {
        this.#underWay -= 1
        this.#lastKnown = this.#clock()
      }
    } else
      checked = await this.#queue.run(
        { address, order: text.length, isGood: ({ proofs }) => proofs !== undefined },
        () => check(this.#strangers),
      )
    if (checked.proofs === proofs.length) this.#learn(proofs)
    else if (isKnown && checked.isTelling !== false) this.#forget(proofs)
    return checked
  }

  close(): void {
    this.#queue.close()
  }

  #learn(proofs: readonly string[]): void {
    this.#forget(proofs)
    for (const proof of proofs) {
      this.#proofs.add(proof)
      this.#bytes += proof.length
    }
    for (const oldest of this.#proofs) {
      if (this.#proofs.size <= MOST_PROOFS && this.#bytes <= MOST_BYTES) return
      this.#forget([oldest])
    }
  }

  #forget(proofs: readonly string[]): void {
    for (const proof of proofs) if (this.#proofs.delete(proof)) this.#bytes -= proof.length
  }
}
