import type { CallContext } from '@extism/extism'

/** The plugin's linear memory, once it is instantiated; undefined if it runs in Extism's worker. */
export interface LinearMemory {
  memory?: WebAssembly.Memory | undefined
}

/** The bits of a block's address that are the offset within it. */
const WITHIN_BLOCK = (1n << 48n) - 1n

/**
 * `keyhole_take(block, to, length)`: moves a block into the plugin's memory and overwrites it. Extism itself transfers
 * eight bytes per call.
 * @returns 1, or 0 if the memory can't be reached: nothing was moved
 */
export function take(
  { memory }: LinearMemory,
  context: CallContext,
  block: bigint,
  to: number,
  length: number,
): number {
  const bytes = bytesOf(context, block, length)
  if (!memory || !bytes) return 0
  new Uint8Array(memory.buffer, to >>> 0, length >>> 0).set(bytes)
  bytes.fill(0)
  return 1
}

/**
 * `keyhole_put(block, from, length)`: copies from the plugin's memory into a block.
 * @returns 1, or 0 if the memory can't be reached: nothing was copied
 */
export function put(
  { memory }: LinearMemory,
  context: CallContext,
  block: bigint,
  from: number,
  length: number,
): number {
  const bytes = bytesOf(context, block, length)
  if (!memory || !bytes) return 0
  bytes.set(new Uint8Array(memory.buffer, from >>> 0, length >>> 0))
  return 1
}

/** The bytes of a block from its address on, not copied. */
function bytesOf(context: CallContext, address: bigint, length: number): Uint8Array | undefined {
  const from = Number(address & WITHIN_BLOCK)
  const bytes = context
    .read(address)
    ?.bytes()
    .subarray(from, from + (length >>> 0))
  return bytes?.length === length >>> 0 ? bytes : undefined
}
