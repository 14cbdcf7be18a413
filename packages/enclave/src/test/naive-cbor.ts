// DAG-CBOR, written by hand for tests: it keeps 1.0 distinct from 1, and can write a map's entries in any order.
import { Link, type Value } from './naive-evaluator.ts'

/** The canonical encoding. */
export function encode(value: Value): Buffer {
  if (value === null) return Buffer.of(0xf6)
  if (typeof value === 'boolean') return Buffer.of(value ? 0xf5 : 0xf4)
  if (typeof value === 'bigint') return value < 0n ? head(1, -1n - value) : head(0, value)
  if (typeof value === 'number') return float(value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Link) return Buffer.concat([head(6, 42), encode(Buffer.of(0, ...value.bytes))])
  if (value instanceof Map) return encodeMap([...value].sort(([a], [b]) => keyOrder(a, b)))
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  throw new TypeError('This is not a value.')
}

/** A map with its entries in the given order. */
export function encodeMap(entries: readonly (readonly [string, Value])[]): Buffer {
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [encode(key), encode(value)]),
  ])
}

/** A major type and its argument, in the shortest form. */
export function head(major: number, argument: number | bigint): Buffer {
  const first = major << 5
  const wide = Buffer.alloc(8)
  wide.writeBigUInt64BE(BigInt(argument))
  if (argument < 24) return Buffer.of(first | Number(argument))
  if (argument < 2 ** 8) return Buffer.of(first | 24, ...wide.subarray(7))
  if (argument < 2 ** 16) return Buffer.of(first | 25, ...wide.subarray(6))
  if (argument < 2 ** 32) return Buffer.of(first | 26, ...wide.subarray(4))
  return Buffer.of(first | 27, ...wide)
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes.writeUInt8(0xfb)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function keyOrder(a: string, b: string): number {
  return Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b))
}
