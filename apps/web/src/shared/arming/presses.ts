/** A press of a key that is held: on which button it began while an answer was taken, if it did. */
interface Key {
  readonly code: string
  /** Cleared where the press counts no more; the key is the same one until it is let go. */
  on: EventTarget | undefined
}

/**
 * Which presses count as an answer: those that began on its button when it was taken already, once each. A click of which nothing was
 * pressed, as assistive technology makes it, has no beginning and counts while answers are taken.
 */
export class Presses {
  #isTaken = false
  #pointer: EventTarget | undefined
  #key: Key | undefined

  /** Whether answers are taken at all. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  /** From now on answers are taken: no press that has begun is one. */
  take(): void {
    this.#isTaken = true
  }

  /** No answer is taken any more: presses that have begun count for nothing, however long they are held. */
  stop(): void {
    this.#isTaken = false
    this.#pointer = undefined
    if (this.#key) this.#key.on = undefined
  }

  /** @param on the button that it is pressed on, if it is one */
  pointerDown(on: EventTarget | undefined): void {
    this.#pointer = this.#isTaken ? on : undefined
  }

  /** @param isRepeat whether it says that the key is still held: one whose beginning nobody saw did not begin here */
  keyDown(code: string, isRepeat: boolean, on: EventTarget | undefined): void {
    if (!isRepeat) this.#key = { code, on: this.#isTaken ? on : undefined }
    else if (this.#key?.code !== code) this.#key = { code, on: undefined }
  }

  /** @returns forgets the press, once the click that belongs to it has come: browsers make that of Space when it is let go */
  keyUp(code: string): () => void {
    const key = this.#key
    return () => {
      if (key?.code === code && this.#key === key) this.#key = undefined
    }
  }

  /** The window is left: nobody tells which keys are let go of elsewhere. */
  leave(): void {
    this.#key = undefined
  }

  /** Whether a click is an answer. @param detail how many clicks of a pointer it is: none where a key or nothing was pressed */
  counts(on: EventTarget, detail: number): boolean {
    if (!this.#isTaken) return false
    if (detail === 0 && this.#key === undefined) return true
    const begunOn = detail === 0 ? this.#key?.on : this.#pointer
    if (this.#key) this.#key.on = undefined
    this.#pointer = undefined
    return begunOn === on
  }
}
