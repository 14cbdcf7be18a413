import { randomInt } from 'node:crypto'
import { DIGEST } from './claim-block.ts'

/** Words of a digest that are kept: 96 bits. */
const WORDS = 3
const SMALLEST = 1_024

/** Odd, and different in each process: a caller can choose digests, but not which of them get the same place. */
const [ONE, OTHER] = [secretFactor(), secretFactor()]

function secretFactor(): number {
  return randomInt(2 ** 31) * 2 + 1
}

/** Digests of claims, in 18 to 36 bytes each, outside the heap that is searched for garbage. */
export class ClaimTable {
  #words = new Uint32Array(SMALLEST * WORDS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Whether it has the digest at this place among others. */
  has(digests: Buffer, at: number): boolean {
    const [a, b, c] = wordsOf(digests, at)
    return this.#isAt(this.#placeOf(a, b, c))
  }

  /** @returns false if it was there */
  add(digests: Buffer, at: number): boolean {
    const [a, b, c] = wordsOf(digests, at)
    const place = this.#placeOf(a, b, c)
    if (this.#isAt(place)) return false
    this.#words.set([a, b, c], place)
    this.#size += 1
    if (this.#size * 3 * WORDS > this.#words.length * 2) this.#grow()
    return true
  }

  #isAt(place: number): boolean {
    return this.#words[place] !== 0
  }

  /** Where the words are, or would be. */
  #placeOf(a: number, b: number, c: number): number {
    const words = this.#words
    const { length } = words
    const mixed = Math.imul(a, ONE) ^ Math.imul(b, OTHER)
    // The upper bits of a product depend on all bits of its factors.
    let place = ((((mixed >>> 16) ^ mixed) >>> 0) % (length / WORDS)) * WORDS
    while (words[place] !== 0 && !(words[place] === a && words[place + 1] === b && words[place + 2] === c)) {
      place += WORDS
      if (place === length) place = 0
    }
    return place
  }

  #grow(): void {
    const old = this.#words
    this.#words = new Uint32Array(old.length * 2)
    for (let at = 0; at < old.length; at += WORDS) {
      const [a = 0, b = 0, c = 0] = old.subarray(at, at + WORDS)
      if (a !== 0) this.#words.set([a, b, c], this.#placeOf(a, b, c))
    }
  }
}

/** The first isn't zero, which marks a free place. */
function wordsOf(digests: Buffer, at: number): [number, number, number] {
  const from = at * DIGEST
  return [digests.readUInt32LE(from) || 1, digests.readUInt32LE(from + 4), digests.readUInt32LE(from + 8)]
}
