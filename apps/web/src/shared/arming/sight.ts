/** Gaps of up to this many pixels between parts don't count: parts are cut at fractions. */
const SLACK = 2

/** Which parts of something tall have been visible so far. It may be taller than the window, and all of it must be seen. */
export class Sight {
  #height = 0
  /** Start and end in pixels from its top, in order and not overlapping. */
  #seen: readonly (readonly [from: number, to: number])[] = []

  /** Notes that a part is visible. If the height has changed, nothing seen before counts. */
  note(height: number, from: number, to: number): void {
    if (Math.abs(height - this.#height) > SLACK) this.#seen = []
    this.#height = height
    if (to <= from) return
    const apart = this.#seen.filter(([a, b]) => b < from - SLACK || a > to + SLACK)
    const joined = this.#seen.filter(([a, b]) => b >= from - SLACK && a <= to + SLACK)
    const all: [number, number] = [
      Math.min(from, ...joined.map(([a]) => a)),
      Math.max(to, ...joined.map(([, b]) => b)),
    ]
    this.#seen = [...apart, all].sort(([a], [b]) => a - b)
  }

  /** Where the first unseen part starts. Undefined if everything has been seen. */
  get missing(): number | undefined {
    const [first] = this.#seen
    if (first === undefined || first[0] > SLACK) return 0
    return first[1] >= this.#height - SLACK ? undefined : first[1]
  }
}
