/** The texts that the module scans, numbered as `Index::hay` in `crates/search` numbers them. */
export const TEXTS = {
  labels: 0,
  cids: 1,
  commands: 2,
  commandNotes: 3,
  policies: 4,
  people: 6,
  peopleNotes: 7,
  entries: 8,
} as const
export type TextKind = (typeof TEXTS)[keyof typeof TEXTS]

/** Separates texts in memory. No text contains it, so a match can't span two texts. */
const APART = '\n'
const REFUSED = -1

interface Exports {
  readonly memory: WebAssembly.Memory
  room(length: number): number
  given(): number
  put_rows(): number
  put_texts(kind: TextKind): number
  clear_texts(kind: TextKind): number
  revoke(): number
  keep(): number
  find(): number
  found(): number
  scan(kind: TextKind): number
  page(): number
  totals(): number
  newest(): number
}
type Call = Exclude<keyof Exports, 'memory' | 'room' | 'given'>

const encoder = new TextEncoder()

/** A call's input as `crates/search/src/input.rs` reads it: little-endian, each text after its length. */
export class Input {
  #bytes: Uint8Array<ArrayBuffer>
  #view: DataView
  #length = 0

  /** @param size the expected number of bytes */
  constructor(size = 256) {
    this.#bytes = new Uint8Array(size)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  u32(value: number): this {
    const at = this.#grow(4)
    this.#view.setUint32(at, value, true)
    return this
  }

  f64(value: number): this {
    const at = this.#grow(8)
    this.#view.setFloat64(at, value, true)
    return this
  }

  raw(bytes: Uint8Array): this {
    this.u32(bytes.length)
    const at = this.#grow(bytes.length)
    this.#bytes.set(bytes, at)
    return this
  }

  text(text: string): this {
    return this.raw(encoder.encode(text))
  }

  #grow(by: number): number {
    const at = this.#length
    this.#length += by
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length)
      larger.set(this.#bytes)
      this.#bytes = larger
      this.#view = new DataView(larger.buffer)
    }
    return at
  }
}

/** The wasm module of `crates/search`, with its own index. */
export class SearchModule {
  readonly #exports: Exports

  constructor(module: WebAssembly.Module) {
    // The module is built from our own crate and exports what `module.rs` says.
    this.#exports = new WebAssembly.Instance(module).exports as unknown as Exports
  }

  /** Calls a function of the module. @returns a copy of the numbers in its answer */
  call(name: Call, input?: Input, kind: TextKind = 0): Uint32Array {
    if (input) this.#write(input.bytes)
    const count = this.#exports[name](kind)
    if (count === REFUSED) throw new Error(`The search module refused its input to ${name}`)
    return new Uint32Array(this.#exports.memory.buffer, this.#exports.given(), count).slice()
  }

  /** Writes texts at these positions: existing ones, or the next in order. */
  putTexts(kind: TextKind, places: readonly number[], texts: readonly string[]): void {
    if (places.length === 0) return
    const input = new Input(8 + 4 * places.length).u32(places.length)
    for (const place of places) input.u32(place)
    input.text(texts.map((text) => asHay(text) + APART).join(''))
    this.call('put_texts', input, kind)
  }

  /** The numbers of the texts of a kind that contain a word in lower case. */
  scan(kind: TextKind, word: string): Uint32Array {
    return this.call('scan', new Input().text(word), kind)
  }

  /** Fills its memory with zeros. It can't be used any more. */
  wipe(): void {
    new Uint8Array(this.#exports.memory.buffer).fill(0)
  }

  #write(bytes: Uint8Array): void {
    const at = this.#exports.room(bytes.length)
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes)
  }
}

/** A text in the form that is scanned. */
export function asHay(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes(APART) ? lower.replaceAll(APART, ' ') : lower
}
