// Strict DAG-CBOR: only one encoding of each value is accepted, because another would have another CID. Refused:
// integers, lengths and tags that aren't minimal, indefinite lengths, duplicate or unsorted keys, floats of 16 or 32
// bits, NaN, infinities, -0, tags other than 42, text that isn't UTF-8, nesting beyond MAX_DEPTH. (DAG-CBOR
// specification, "Strictness".)
import { malformed } from '../errors.ts'
import { isCid } from './cid.ts'
import { numberOf } from './number.ts'
import { byLength, Link, MAX_DEPTH, type Value } from './value.ts'
import { type Budget, VALUE } from './work-budget.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Major type, additional information, and the argument, which must be minimal. */
interface Head {
  readonly major: number
  readonly info: number
  readonly argument: bigint
}

const wrong = (): never =>
  malformed("This isn't a token: it was cut off or changed, or isn't strict DAG-CBOR.")

/** Reads an encoding from start to end. Anything it can't read is a `MalformedToken`. */
export class CborReader {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #budget: Budget
  /** Bytes read so far. */
  at = 0

  constructor(bytes: Uint8Array<ArrayBuffer>, budget: Budget) {
    this.#bytes = bytes
    this.#budget = budget
  }

  /** Checks that everything has been read. */
  end(): void {
    if (this.at < this.#bytes.length) wrong()
  }

  take(count: bigint | number): Uint8Array<ArrayBuffer> {
    if (count > this.#bytes.length - this.at) wrong()
    const start = this.at
    this.at += Number(count)
    return this.#bytes.subarray(start, this.at)
  }

  head(): Head {
    const first = this.take(1)[0] ?? 0
    const major = first >> 5
    const info = first & 31
    if (info > 27) wrong()
    if (info < 24) return { major, info, argument: BigInt(info) }
    const argument = numberOf(this.take(2 ** (info - 24)))
    // For major type 7 the argument is a float's bits, which have other rules.
    if (major !== 7 && argument < (info === 24 ? 24n : 1n << BigInt(2 ** (info - 22)))) wrong()
    return { major, info, argument }
  }

  /** Reads a head of this major type and returns its argument. */
  expect(wanted: number): bigint {
    const { major, argument } = this.head()
    return major === wanted ? argument : wrong()
  }

  text(length: bigint): string {
    const bytes = this.take(length)
    try {
      return utf8.decode(bytes)
    } catch {
      return wrong()
    }
  }

  /** Reads one value, nested this deep. */
  value(depth: number): Value {
    this.#budget.spend(VALUE)
    const { major, info, argument } = this.head()
    if (major === 0) return argument
    if (major === 1) return -1n - argument
    if (major === 2) return this.take(argument)
    if (major === 3) return this.text(argument)
    if (major === 4) return this.#list(argument, depth)
    if (major === 5) return this.#map(argument, depth)
    if (major === 6) return this.#link(argument)
    return info === 20
      ? false
      : info === 21
        ? true
        : info === 22
          ? null
          : info === 27
            ? this.#float()
            : wrong()
  }

  #float(): number {
    const float = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.at - 8).getFloat64(0)
    return Number.isFinite(float) && !Object.is(float, -0) ? float : wrong()
  }

  /** Each item takes at least one byte, so a count beyond what is left is refused before any memory is reserved. */
  #enter(bytes: bigint, depth: number): void {
    if (depth >= MAX_DEPTH || bytes > this.#bytes.length - this.at) wrong()
  }

  #list(count: bigint, depth: number): Value {
    this.#enter(count, depth)
    const items: Value[] = []
    while (items.length < count) items.push(this.value(depth + 1))
    return items
  }

  #map(count: bigint, depth: number): Value {
    this.#enter(2n * count, depth)
    const entries = new Map<string, Value>()
    let last: Uint8Array = new Uint8Array()
    for (let left = count; left > 0n; left -= 1n) {
      this.#budget.spend(VALUE)
      const length = this.expect(3)
      const from = this.at
      const key = this.text(length)
      const bytes = this.#bytes.subarray(from, this.at)
      if (left < count && byLength(last, bytes) >= 0) wrong()
      last = bytes
      entries.set(key, this.value(depth + 1))
    }
    return entries
  }

  /** Tag 42: a byte string with a zero byte and a CID. */
  #link(tag: bigint): Value {
    const bytes = tag === 42n ? this.take(this.expect(2)) : wrong()
    return bytes[0] === 0 && isCid(bytes.subarray(1)) ? new Link(bytes.subarray(1)) : wrong()
  }
}
