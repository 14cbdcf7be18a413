/**
 * Does the same work for all who ask for it meanwhile: however often it is asked for, it runs once more after the run in
 * progress.
 */
export class SharedRun {
  readonly #work: () => Promise<void>
  /** Milliseconds from the end of one run to the start of the next. */
  readonly #rest: number
  #running: Promise<unknown> | undefined
  #next: Promise<void> | undefined

  constructor(work: () => Promise<void>, rest: number) {
    this.#work = work
    this.#rest = rest
  }

  /** Settles as a run that starts after this call. */
  run(): Promise<void> {
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  async #after(running: Promise<unknown> | undefined): Promise<void> {
    await running
    this.#next = undefined
    const run = this.#work()
    const rested = run
      .catch(() => undefined)
      .then(() => new Promise((resolve) => setTimeout(resolve, this.#rest)))
    this.#running = rested
    void rested.then(() => {
      if (this.#running === rested) this.#running = undefined
    })
    await run
  }
}
