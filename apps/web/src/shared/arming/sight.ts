/** Pixels that parts of something may miss each other by, and still be side by side: they are cut in fractions. */
const SLACK = 2

/** Which parts of something tall have been in sight so far: it may be taller than the window, and all of it is to be seen. */
export class Sight {
  #height = 0
  /** From and to, in pixels from its top, in order and apart. */
  #seen: readonly (readonly [from: number, to: number])[] = []

  /** Takes in that a part is in sight. Where it is drawn anew in another height, nothing of it counts any more. */
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

  /** Where the first part begins that has not been in sight; undefined where all of it has. */
  get missing(): number | undefined {
    const [first] = this.#seen
    if (first === undefined || first[0] > SLACK) return 0
    return first[1] >= this.#height - SLACK ? undefined : first[1]
  }
}
