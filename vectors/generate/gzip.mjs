// gzip without zlib, whose output differs from one version and processor to the next: these files must not.

/** A writer of bits, lowest first. */
class Bits {
  /** @type {number[]} */
  bytes = []
  buffer = 0
  count = 0

  /** @param {number} value @param {number} length */
  write(value, length) {
    for (let at = 0; at < length; at += 1) {
      this.buffer |= ((value >> at) & 1) << this.count
      this.count += 1
      if (this.count === 8) this.flush()
    }
  }

  /** A Huffman code stands with its highest bit first. @param {number} code @param {number} length */
  code(code, length) {
    for (let at = length - 1; at >= 0; at -= 1) this.write((code >> at) & 1, 1)
  }

  flush() {
    if (this.count === 0) return
    this.bytes.push(this.buffer)
    this.buffer = 0
    this.count = 0
  }
}

const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227,
]
const DISTANCES = Array.from({ length: 30 }, (_, code) =>
  code < 4 ? code + 1 : ((2 + (code & 1)) << ((code >> 1) - 1)) + 1,
)

/** A literal, an end or a length, by the fixed code (RFC 1951 §3.2.6). @param {Bits} bits @param {number} symbol */
function symbol(bits, symbol) {
  if (symbol < 144) bits.code(0x30 + symbol, 8)
  else if (symbol < 256) bits.code(0x190 + symbol - 144, 9)
  else if (symbol < 280) bits.code(symbol - 256, 7)
  else bits.code(0xc0 + symbol - 280, 8)
}

/** @param {Bits} bits @param {number} length @param {number} distance */
function repeat(bits, length, distance) {
  const size = length === 258 ? 28 : LENGTHS.findLastIndex((least) => least <= length)
  symbol(bits, 257 + size)
  if (size < 28) bits.write(length - (LENGTHS[size] ?? 0), size < 8 ? 0 : (size >> 2) - 1)
  const far = DISTANCES.findLastIndex((least) => least <= distance)
  bits.code(far, 5)
  bits.write(distance - (DISTANCES[far] ?? 0), far < 4 ? 0 : (far >> 1) - 1)
}

/** One block of the fixed code: three letters that stood before are found by what they are. @param {Uint8Array} data */
function deflate(data) {
  const bits = new Bits()
  bits.write(1, 1)
  bits.write(1, 2)
  /** @type {Map<number, number>} */
  const seen = new Map()
  for (let at = 0; at < data.length; ) {
    const three = at + 2 < data.length ? (data[at] << 16) | (data[at + 1] << 8) | data[at + 2] : -1
    const before = seen.get(three) ?? -1
    if (three !== -1) seen.set(three, at)
    let length = 0
    if (before !== -1 && at - before <= 32_768) {
      while (length < 258 && at + length < data.length && data[before + length] === data[at + length])
        length += 1
    }
    if (length >= 3) repeat(bits, length, at - before)
    else symbol(bits, data[at])
    at += length >= 3 ? length : 1
  }
  symbol(bits, 256)
  bits.flush()
  return Buffer.from(bits.bytes)
}

const CRC = Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

/** @param {Iterable<number>} data */
function crc32(data) {
  let crc = -1
  for (const byte of data) crc = (crc >>> 8) ^ (CRC[(crc ^ byte) & 0xff] ?? 0)
  return ~crc >>> 0
}

/** @param {Uint8Array} data @param {Uint8Array} packed */
function member(data, packed) {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(data), 0)
  end.writeUInt32LE(data.length % 2 ** 32, 4)
  return Buffer.concat([Buffer.from('1f8b08000000000000ff', 'hex'), packed, end])
}

/** @param {Uint8Array} data */
export const gzip = (data) => member(data, deflate(data))

/**
 * `start`, and zeros up to `length`: two bits for every 258 of them.
 *
 * @param {Uint8Array} start
 * @param {number} length
 */
export function gzipBomb(start, length) {
  const bits = new Bits()
  bits.write(0, 3)
  bits.flush()
  bits.bytes.push(
    start.length & 0xff,
    start.length >> 8,
    ~start.length & 0xff,
    (~start.length >> 8) & 0xff,
    ...start,
  )
  // One block with a code of its own (§3.2.7): zero, the end, 258 once more, and a distance of one.
  bits.write(1, 1)
  bits.write(2, 2)
  bits.write(286 - 257, 5)
  bits.write(2 - 1, 5)
  bits.write(18 - 4, 4)
  // The lengths of lengths, in their order: 18 (zeros) and 1, 2 have two bits each.
  for (const order of [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]) {
    bits.write(order === 18 || order === 1 || order === 2 ? (order === 18 ? 1 : 2) : 0, 3)
  }
  const [one, two, zeros] = [
    [0b10, 2],
    [0b11, 2],
    [0b0, 1],
  ]
  const lengths = (/** @type {number[]} */ [code, length]) => bits.code(code ?? 0, length ?? 0)
  const skip = (/** @type {number} */ count) => {
    lengths(zeros)
    bits.write(count - 11, 7)
  }
  lengths(two)
  skip(138)
  skip(117)
  lengths(two)
  skip(28)
  lengths(one)
  lengths(one)
  lengths(one)
  const data = Buffer.alloc(length)
  data.set(start)
  // Codes by length, then by symbol: 285 is 0, a zero byte 10, the end 11. The first zero stands for itself.
  const rest = length - start.length - 1
  for (let zero = 0; zero < 1 + (rest % 258); zero += 1) bits.code(0b10, 2)
  for (let run = 0; run < Math.floor(rest / 258); run += 1) bits.write(0, 2)
  bits.code(0b11, 2)
  bits.flush()
  return member(data, Buffer.from(bits.bytes))
}
