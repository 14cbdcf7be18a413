import { refused, VaultError } from './errors.ts'

/** Bytes as a caller may give them: a `Uint8Array` (a Node `Buffer` is one), or an array of whole numbers from 0 to 255. */
export type Bytes = Uint8Array | readonly number[]

const typedArray = Object.getPrototypeOf(Uint8Array.prototype)
const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get

/**
 * A copy of bytes from outside. Nothing is coerced: what only resembles bytes would be signed as something
 * else, or as nothing, and its signature would fit every other such thing.
 *
 * Memory that is shared or can be resized is refused too, as Web Cryptography does: it may change while it is read.
 *
 * @param what the argument's name, for the refusal
 * @throws VaultError OPERATION_FAILED, `NotBytes`
 */
export function takeBytes(value: unknown, what: string): Uint8Array<ArrayBuffer> {
  const bytes = Array.isArray(value) ? fromArray(value) : fromUint8Array(value)
  if (bytes) return bytes
  throw refused('NotBytes', { what, kind: kindOf(value) }, { details: { code: 'OPERATION_FAILED' } })
}

/** As `takeBytes`, with the refusal as a value: for one who takes bytes at once and refuses them later. */
export function bytesOrRefusal(value: unknown, what: string): Uint8Array<ArrayBuffer> | VaultError {
  try {
    return takeBytes(value, what)
  } catch (error) {
    if (error instanceof VaultError) return error
    throw error
  }
}

function fromArray(value: readonly unknown[]): Uint8Array<ArrayBuffer> | undefined {
  const bytes: number[] = []
  const { length } = value
  // Each place is read once, and what was read is what is judged. A place that is empty reads as undefined.
  for (let index = 0; index < length; index++) {
    const each = value[index]
    if (typeof each !== 'number' || !Number.isInteger(each) || each < 0 || each > 255) return undefined
    bytes.push(each)
  }
  return Uint8Array.from(bytes)
}

function fromUint8Array(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  try {
    // By what it is, not by what it says: neither a look-alike, nor one of another realm, nor a subclass misleads these.
    if (Reflect.get(typedArray, Symbol.toStringTag, value) !== 'Uint8Array') return undefined
    const buffer: unknown = Reflect.get(typedArray, 'buffer', value)
    // Throws where the memory is shared.
    bufferLength?.call(buffer)
    if (Reflect.get(ArrayBuffer.prototype, 'resizable', buffer) === true) return undefined
    // Throws where the memory was handed on to somebody else.
    return new Uint8Array(value as Uint8Array)
  } catch {
    return undefined
  }
}

/** What a value is, without any of it. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array with something else in it'
  if (typeof value !== 'object') return `a ${typeof value}`
  const tag: unknown = Reflect.get(typedArray, Symbol.toStringTag, value)
  if (tag === 'Uint8Array') return 'a Uint8Array whose memory is shared, can be resized or was handed on'
  return typeof tag === 'string'
    ? `a ${tag}`
    : `an object (${Object.prototype.toString.call(value).slice(8, -1)})`
}
