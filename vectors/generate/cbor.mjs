// DAG-CBOR, written by hand so that a malformed encoding can stand anywhere within a good one. No encoder that is tested
// with these vectors takes part in making them.

/** A float, also where its value is whole: a JavaScript number that is whole becomes an integer. */
export class Float {
  /** @param {number} value */
  constructor(value) {
    this.value = value
  }
}

/** Bytes that stand in the encoding as they are. */
export class Raw {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes
  }
}

/** A link (tag 42) to a CID's bytes. */
export class Link {
  /** @param {Uint8Array} cid */
  constructor(cid) {
    this.cid = cid
  }
}

/** A map whose entries stand in the order given, twice where they are given twice. */
export class Entries {
  /** @param {[unknown, unknown][]} entries */
  constructor(entries) {
    this.entries = entries
  }
}

/** @param {number} value */
export const float = (value) => new Float(value)

/** @param {string} hex */
export const raw = (hex) => new Raw(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

/**
 * A major type and its argument, in the shortest form.
 *
 * @param {number} major
 * @param {number | bigint} argument
 */
export function head(major, argument) {
  const value = BigInt(argument)
  const type = major << 5
  if (value < 24n) return Buffer.from([type | Number(value)])
  for (const [info, length] of [
    [24, 1],
    [25, 2],
    [26, 4],
    [27, 8],
  ]) {
    if (value < 1n << BigInt(8 * length)) return longHead(major, info, value)
  }
  throw new RangeError(`no CBOR integer: ${value}`)
}

/**
 * A head of the length that `info` (24 to 27) says, shortest or not.
 *
 * @param {number} major
 * @param {number} info
 * @param {number | bigint} argument
 */
export function longHead(major, info, argument) {
  const hex = BigInt(argument).toString(16)
  return Buffer.from([(major << 5) | info, ...Buffer.from(hex.padStart(2 << (info - 24), '0'), 'hex')])
}

/**
 * The canonical encoding. In an object, a field that is `undefined` is left out.
 *
 * @param {unknown} value
 * @returns {Buffer}
 */
export function encode(value) {
  if (value === null) return Buffer.from([0xf6])
  if (value === false) return Buffer.from([0xf4])
  if (value === true) return Buffer.from([0xf5])
  if (typeof value === 'bigint') return integer(value)
  if (typeof value === 'number') return Number.isInteger(value) ? integer(BigInt(value)) : double(value)
  if (typeof value === 'string') return prefixed(3, Buffer.from(value))
  if (value instanceof Raw) return Buffer.from(value.bytes)
  if (value instanceof Float) return double(value.value)
  if (value instanceof Link) return Buffer.concat([Buffer.from([0xd8, 0x2a]), encode(linked(value.cid))])
  if (value instanceof Uint8Array) return prefixed(2, value)
  if (value instanceof Entries) return map(value.entries)
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  if (typeof value === 'object') return map(sorted(value))
  throw new TypeError(`no CBOR value: ${value}`)
}

/** @param {Uint8Array} cid */
const linked = (cid) => Buffer.concat([Buffer.from([0]), cid])

/** @param {number} major @param {Uint8Array} bytes */
const prefixed = (major, bytes) => Buffer.concat([head(major, bytes.length), bytes])

/** @param {bigint} value */
const integer = (value) => (value < 0n ? head(1, -1n - value) : head(0, value))

/** @param {number} value */
function double(value) {
  const bytes = Buffer.alloc(9, 0xfb)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

/** @param {[unknown, unknown][]} entries */
const map = (entries) => Buffer.concat([head(5, entries.length), ...entries.flat().map(encode)])

/**
 * By length, then by bytes.
 *
 * @param {object} fields
 */
function sorted(fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const bytes = (/** @type {[string, unknown]} */ [key]) => Buffer.from(key)
  return entries.sort((a, b) => bytes(a).length - bytes(b).length || bytes(a).compare(bytes(b)))
}
