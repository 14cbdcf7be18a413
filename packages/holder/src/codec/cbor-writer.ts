// The canonical DAG-CBOR encoding of a JavaScript value: DAG-JSON and more. A bigint is an integer of up to 64 bits, a
// number one if it has no fraction; a Uint8Array and `{"/": {"bytes": "…"}}` are bytes, a Link and `{"/": "bafy…"}`
// links; an object is a map, without its undefined fields.
import { wrongInput } from '../errors.ts'
import { readCid } from './cid.ts'
import { toBytes } from './number.ts'
import { fromBase64 } from './text.ts'
import { byLength, isBytes, joined, Link, MAX_DEPTH } from './value.ts'

const utf8 = new TextEncoder()
/** From here on JavaScript writes a number with an exponent, so it counts as a float. */
const EXPONENT = 1e21

/**
 * The canonical encoding.
 * @throws HolderError InvalidInput for what can't be encoded: a function, `undefined` in a list, an integer that a
 *   number can't hold exactly or that has more than 64 bits, half of a surrogate pair, nesting beyond 128
 */
export function encodeCbor(value: unknown): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  write(value, 0, parts)
  return joined(parts)
}

/** A major type and its argument, in the shortest form. */
export function head(major: number, argument: bigint | number): Uint8Array {
  const number = BigInt(argument)
  if (number < 24n) return Uint8Array.of((major << 5) | Number(number))
  const width =
    [0, 1, 2, 3].find((bits) => number < 1n << BigInt(8 * 2 ** bits)) ??
    wrong('an integer of more than 64 bits')
  return Uint8Array.of((major << 5) | (24 + width), ...toBytes(number, 2 ** width))
}

function wrong(what: string): never {
  wrongInput(`A token can't contain ${what}.`)
}

function write(value: unknown, depth: number, parts: Uint8Array[]): void {
  if (value === null || typeof value === 'boolean')
    parts.push(Uint8Array.of(value === null ? 0xf6 : value ? 0xf5 : 0xf4))
  else if (typeof value === 'bigint') parts.push(value < 0n ? head(1, -1n - value) : head(0, value))
  else if (Number.isSafeInteger(value)) write(BigInt(Number(value)), depth, parts)
  else if (typeof value === 'number') parts.push(float(value))
  else if (typeof value === 'string') withHead(3, encoded(value), parts)
  else if (isBytes(value)) withHead(2, value, parts)
  else if (value instanceof Link) {
    parts.push(head(6, 42))
    withHead(2, joined([Uint8Array.of(0), value.bytes]), parts)
  } else if (typeof value !== 'object') wrong(`${typeof value} values`)
  else if (depth > MAX_DEPTH) wrong('so many levels')
  else if (Array.isArray(value)) {
    parts.push(head(4, value.length))
    for (const each of value) write(each, depth + 1, parts)
  } else if ('/' in value)
    write(linkOrBytes(value) ?? wrong('a key “/”, but for links and bytes'), depth, parts)
  else writeMap(value, depth + 1, parts)
}

function writeMap(value: object, depth: number, parts: Uint8Array[]): void {
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) wrong('an object of a class')
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  parts.push(head(5, entries.length))
  const sorted = entries
    .map(([key, each]) => ({ key: encoded(key), each }))
    .sort((a, b) => byLength(a.key, b.key))
  for (const { key, each } of sorted) {
    withHead(3, key, parts)
    write(each, depth, parts)
  }
}

function float(value: number): Uint8Array {
  const isLost = Number.isInteger(value) && Math.abs(value) < EXPONENT
  if (isLost || !Number.isFinite(value)) wrong(`the number ${value}: pass a bigint`)
  const bytes = Uint8Array.of(0xfb, 0, 0, 0, 0, 0, 0, 0, 0)
  new DataView(bytes.buffer).setFloat64(1, value)
  return bytes
}

function withHead(major: number, bytes: Uint8Array, parts: Uint8Array[]): void {
  parts.push(head(major, bytes.length), bytes)
}

function encoded(text: string): Uint8Array {
  return /\p{Surrogate}/u.test(text) ? wrong('half a letter') : utf8.encode(text)
}

function linkOrBytes(value: { readonly '/': unknown }): Link | Uint8Array | undefined {
  const { '/': inner } = value
  const isAlone = (only: object) => Object.keys(only).length === 1
  if (!isAlone(value)) return undefined
  if (typeof inner === 'string') return readCid(inner)
  const isBytesForm = typeof inner === 'object' && inner !== null && 'bytes' in inner && isAlone(inner)
  return isBytesForm ? fromBase64(String(inner.bytes)) : undefined
}
