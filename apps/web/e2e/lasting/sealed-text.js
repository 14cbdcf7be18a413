// A second implementation of the checksums in docs/formats.md, so that tests can change a text and forge its checksum.
import { createHash } from 'node:crypto'

/** @typedef {string | number | boolean | null | Json[] | {[name: string]: Json}} Json */
/** @typedef {{[name: string]: Json}} Fields */
/** @typedef {{path: string, fields: Fields}} Change One change of one value, and where: `keys.0.nonce`. */

/** @param {number} major @param {number} argument */
function head(major, argument) {
  const type = major << 5
  if (argument < 24) return Buffer.from([type | argument])
  if (argument < 0x100) return Buffer.from([type | 24, argument])
  if (argument < 0x10000) return Buffer.from([type | 25, argument >> 8, argument & 255])
  const wide = Buffer.alloc(argument < 2 ** 32 ? 5 : 9, type | (argument < 2 ** 32 ? 26 : 27))
  if (wide.length === 5) wide.writeUInt32BE(argument, 1)
  else wide.writeBigUInt64BE(BigInt(argument), 1)
  return wide
}

/**
 * The one DAG-CBOR encoding of a JSON value without floats.
 * @param {Json} value
 * @returns {Buffer}
 */
export function canonical(value) {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([head(3, bytes.length), bytes])
  }
  if (value === null) return Buffer.from([0xf6])
  if (typeof value === 'boolean') return Buffer.from([value ? 0xf5 : 0xf4])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(canonical)])
  const entries = Object.entries(value).sort(([a], [b]) => {
    const [first, second] = [Buffer.from(a), Buffer.from(b)]
    return first.length - second.length || first.compare(second)
  })
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([name, item]) => [canonical(name), canonical(item)]),
  ])
}

/** @param {Buffer[]} parts */
const digest = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest('base64url')

/**
 * The checksum of a sealed state, over every field except itself.
 * @param {Fields} fields
 */
export function stateChecksum({ checksum: _, ...rest }) {
  return digest(canonical(rest))
}

/**
 * The checksum of a backup, over the fields before its content, and the content.
 * @param {Fields} fields
 */
export function backupChecksum({ checksum: _, nonce = '', sealed = '', ...rest }) {
  const bytes = [nonce, sealed].map((text) => Buffer.from(String(text), 'base64url'))
  return digest(canonical(rest), ...bytes)
}

/**
 * The text of a sealed state or backup with a matching checksum.
 * @param {Fields} fields
 */
export function forged(fields) {
  const make = String(fields.format).startsWith('keyhole-backup') ? backupChecksum : stateChecksum
  return JSON.stringify({ ...fields, checksum: make(fields) })
}

/**
 * Another value of the same type and length, which parses wherever the first one did.
 * @param {Json} value
 * @returns {Json}
 */
function other(value) {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return null
  const letter = value[0] === 'A' ? 'B' : 'A'
  return `${letter}${value.slice(1)}`
}

/**
 * Every value of a text changed, one at a time.
 * @param {Fields} fields
 * @returns {Change[]}
 */
export function changes(fields) {
  /** @type {(value: Json, path: readonly string[]) => string[][]} */
  const walk = (value, path) => {
    if (typeof value !== 'object' || value === null) return [[...path]]
    return Object.entries(value).flatMap(([name, item]) => walk(item, [...path, name]))
  }
  return walk(fields, []).map((path) => {
    const changed = structuredClone(fields)
    change(changed, path, other)
    return { path: path.join('.'), fields: changed }
  })
}

/**
 * Replaces the value at a path.
 * @param {Json} value
 * @param {readonly string[]} path
 * @param {(value: Json) => Json} make
 */
export function change(value, [name = '', ...rest], make) {
  if (typeof value !== 'object' || value === null) throw new Error(`There is nothing at ${name}`)
  const held = Reflect.get(value, name)
  if (rest.length > 0) change(held, rest, make)
  else Reflect.set(value, name, make(held))
}
