import { refused, VaultError } from './errors.ts'

/**
 * Bytes as a caller may give them: a `Uint8Array` (a Node `Buffer` is one), or an array of whole numbers from 0 to 255.
 */
export type Bytes = Uint8Array | readonly number[]

const typedArray = Object.getPrototypeOf(Uint8Array.prototype)
const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get

/**
 * Copies bytes from a caller. Nothing is coerced: a value that only looks like bytes would be signed as something else,
 * or as empty, and its signature would fit every other such value.
 * Memory that is shared or resizable is refused too, as in Web Cryptography: it can change while it's read.
 * @param what the argument's name, for the refusal
 * @throws VaultError OPERATION_FAILED, `NotBytes`
 */
export function takeBytes(value: unknown, what: string): Uint8Array<ArrayBuffer> {
  const bytes = Array.isArray(value) ? fromArray(value) : fromUint8Array(value)
  if (bytes) return bytes
  throw refused('NotBytes', { what, kind: kindOf(value) }, { details: { code: 'OPERATION_FAILED' } })
}

/** Like `takeBytes`, but returns the refusal, for callers that copy the bytes now and refuse later. */
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
  // Reads each element once, so a getter can't change what was checked. A hole reads as undefined.
  for (let index = 0; index < length; index++) {
    const each = value[index]
    if (typeof each !== 'number' || !Number.isInteger(each) || each < 0 || each > 255) return undefined
    bytes.push(each)
  }
  return Uint8Array.from(bytes)
}

function fromUint8Array(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  try {
    // Uses the built-in getters, so look-alikes, other realms and subclasses can't fool the check.
    if (Reflect.get(typedArray, Symbol.toStringTag, value) !== 'Uint8Array') return undefined
    const buffer: unknown = Reflect.get(typedArray, 'buffer', value)
    // Throws if the memory is shared.
    bufferLength?.call(buffer)
    if (Reflect.get(ArrayBuffer.prototype, 'resizable', buffer) === true) return undefined
    // Throws if the buffer is detached.
    return new Uint8Array(value as Uint8Array)
  } catch {
    return undefined
  }
}

/** Parts as one, which is the part itself if there is one. @param length of all, in bytes */
export function joinedBytes<Part extends Uint8Array>(
  parts: readonly Part[],
  length: number,
): Part | Uint8Array<ArrayBuffer> {
  const [only] = parts
  if (only && parts.length === 1) return only
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Describes a value without revealing any of it. */
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
