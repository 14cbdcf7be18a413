/** A held key, and the button on which it was pressed while answers were enabled. */
interface Key {
  readonly code: string
  /** Cleared if the press no longer counts. The key stays the same until it is released. */
  on: EventTarget | undefined
}

/**
 * Which presses count as an answer: those that started on its button while it was enabled, once each. A click without a press, as from
 * assistive technology, has no start and counts while answers are enabled.
 */
export class Presses {
  #isTaken = false
  #pointer: EventTarget | undefined
  #key: Key | undefined

  /** Whether answers are enabled. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  /** Enables answers. Presses that have already started don't count. */
  take(): void {
    this.#isTaken = true
  }

  /** Disables answers. Presses that have started don't count, however long they are held. */
  stop(): void {
    this.#isTaken = false
    this.#pointer = undefined
    if (this.#key) this.#key.on = undefined
  }

  /** @param on the button under the pointer, if any */
  pointerDown(on: EventTarget | undefined): void {
    this.#pointer = this.#isTaken ? on : undefined
  }

  /** @param isRepeat whether the key is being held. If we didn't see it go down, the press didn't start here */
  keyDown(code: string, isRepeat: boolean, on: EventTarget | undefined): void {
    if (!isRepeat) this.#key = { code, on: this.#isTaken ? on : undefined }
    else if (this.#key?.code !== code) this.#key = { code, on: undefined }
  }

  /** @returns forgets the press. Call it after its click: browsers fire the click of Space on release */
  keyUp(code: string): () => void {
    const key = this.#key
    return () => {
      if (key?.code === code && this.#key === key) this.#key = undefined
    }
  }

  /** The window loses focus. We can't tell which keys are released elsewhere. */
  leave(): void {
    this.#key = undefined
  }

  /** Whether a click is an answer. @param detail the click count of a pointer; 0 for a key or no press at all */
  counts(on: EventTarget, detail: number): boolean {
    if (!this.#isTaken) return false
    if (detail === 0 && this.#key === undefined) return true
    const begunOn = detail === 0 ? this.#key?.on : this.#pointer
    if (this.#key) this.#key.on = undefined
    this.#pointer = undefined
    return begunOn === on
  }
}
