/** How many bits of a block's address are the offset within it, as in Extism. */
const PLACE_BITS = 48n
const PLACE = (1n << PLACE_BITS) - 1n

/**
 * The memory blocks for passing bytes between a plugin and its host, and Extism's functions for them, without Extism,
 * whose own calls are asynchronous. For one call at a time; `begin` forgets the previous call's blocks.
 */
export class HostBlocks {
  #memory: WebAssembly.Memory | undefined
  /** By block number, the part of an address above the offset. There is no block 0. */
  #blocks: (Uint8Array | undefined)[] = []
  #output: Uint8Array | undefined

  /** Sets the plugin's own memory, once it is instantiated. */
  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory
  }

  /** Begins a call with this input, which becomes block 1. */
  begin(input: Uint8Array): void {
    this.#blocks = [undefined, input]
    this.#output = undefined
  }

  /** Ends the call, and overwrites its input and all remaining blocks. @returns its output, not overwritten */
  end(): Uint8Array | undefined {
    const output = this.#output
    for (const block of this.#blocks) if (block?.buffer !== output?.buffer) block?.fill(0)
    this.#blocks = []
    this.#output = undefined
    return output
  }

  /** Puts bytes into a new block. @returns its address */
  store(bytes: Uint8Array): bigint {
    this.#blocks.push(bytes)
    return BigInt(this.#blocks.length - 1) << PLACE_BITS
  }

  /** Extism's functions, as the plugin imports them from `extism:host/env`. */
  readonly env = {
    alloc: (length: bigint): bigint => this.store(new Uint8Array(Number(length))),
    free: (address: bigint): void => {
      this.#blocks[Number(address >> PLACE_BITS)] = undefined
    },
    length: (address: bigint): bigint => BigInt(this.#block(address)?.length ?? 0),
    load_u8: (address: bigint): number => this.#view(address).getUint8(Number(address & PLACE)),
    load_u64: (address: bigint): bigint => this.#view(address).getBigUint64(Number(address & PLACE), true),
    store_u8: (address: bigint, value: number): void =>
      this.#view(address).setUint8(Number(address & PLACE), value),
    store_u64: (address: bigint, value: bigint): void =>
      this.#view(address).setBigUint64(Number(address & PLACE), value, true),
    input_length: (): bigint => BigInt(this.#blocks[1]?.length ?? 0),
    input_offset: (): bigint => 1n << PLACE_BITS,
    input_load_u8: (place: bigint): number => this.#blocks[1]?.[Number(place)] ?? 0,
    output_set: (address: bigint, length: bigint): void => {
      this.#output = this.#part(address, Number(length))
    },
  }

  /**
   * `keyhole_take`: moves a block into the plugin's memory and overwrites it. @returns 1, or 0 if it isn't that long
   */
  take = (address: bigint, to: number, length: number): number => {
    const bytes = this.#part(address, length >>> 0)
    if (!bytes || !this.#memory) return length === 0 ? 1 : 0
    new Uint8Array(this.#memory.buffer, to >>> 0, length >>> 0).set(bytes)
    bytes.fill(0)
    return 1
  }

  /** `keyhole_put`: copies from the plugin's memory into a block. @returns 1, or 0 if it isn't that long */
  put = (address: bigint, from: number, length: number): number => {
    const bytes = this.#part(address, length >>> 0)
    if (!bytes || !this.#memory) return 0
    bytes.set(new Uint8Array(this.#memory.buffer, from >>> 0, length >>> 0))
    return 1
  }

  /** A block as text. */
  text(address: bigint): string {
    return new TextDecoder().decode(this.#block(address))
  }

  #block(address: bigint): Uint8Array | undefined {
    return this.#blocks[Number(address >> PLACE_BITS)]
  }

  /** `length` bytes of a block from its address on; undefined if it has fewer. */
  #part(address: bigint, length: number): Uint8Array | undefined {
    const from = Number(address & PLACE)
    const bytes = this.#block(address)?.subarray(from, from + length)
    return bytes?.length === length ? bytes : undefined
  }

  #view(address: bigint): DataView {
    const block = this.#block(address)
    if (!block) throw new RangeError('The plugin asks for a block that is not there.')
    return new DataView(block.buffer, block.byteOffset, block.byteLength)
  }
}
