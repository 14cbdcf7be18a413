// The tokens in a text, taken apart as far as telling one from another needs it: nothing here says that any of them holds.
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'

/** Bytes that a container may unpack to, to be looked at here. */
const MOST_UNPACKED = 256 * 1024
/** `{"ctn-v1": […]}` in CBOR, up to the list. */
const HEAD = Buffer.from('a16663746e2d7631', 'hex')

/**
 * Digests of the tokens in a container in base64 or base64url; undefined where it is none, or not written in the usual way.
 * What cannot be told apart here is not refused: it is somebody's of whom nothing is known.
 *
 * @param {string} text
 * @returns {string[] | undefined}
 */
export function digestsIn(text) {
  const packed = /^[BCOP]/.test(text) && Buffer.from(text.slice(1), 'base64')
  if (!packed) return undefined
  let bytes = packed
  if (/^[OP]/.test(text)) {
    try {
      bytes = gunzipSync(packed, { maxOutputLength: MOST_UNPACKED })
    } catch {
      return undefined
    }
  }
  if (!bytes.subarray(0, HEAD.length).equals(HEAD)) return undefined
  const list = head(bytes, HEAD.length)
  if (list?.major !== 4) return undefined
  const digests = []
  let { at } = list
  for (let count = 0; count < list.argument; count += 1) {
    const item = head(bytes, at)
    if (item?.major !== 2 || item.at + item.argument > bytes.length) return undefined
    at = item.at + item.argument
    digests.push(createHash('sha256').update(bytes.subarray(item.at, at)).digest('hex'))
  }
  return digests
}

/**
 * A head of CBOR: its major type, its argument up to 2³² − 1, and where it ends.
 * @param {Buffer} bytes @param {number} at
 */
function head(bytes, at) {
  const first = bytes[at]
  if (first === undefined) return undefined
  const [major, info] = [first >> 5, first & 31]
  if (info < 24) return { major, argument: info, at: at + 1 }
  const length = { 24: 1, 25: 2, 26: 4 }[info]
  if (length === undefined || at + 1 + length > bytes.length) return undefined
  return { major, argument: bytes.readUIntBE(at + 1, length), at: at + 1 + length }
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * The digest in a token's CID, as {@link digestsIn} writes it.
 * @param {string} cid in base32
 */
export function digestOf(cid) {
  let [bits, held, hex] = [0, 0, '']
  for (const letter of cid.slice(1)) {
    held = (held << 5) | BASE32.indexOf(letter)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    hex += ((held >> bits) & 255).toString(16).padStart(2, '0')
    held &= (1 << bits) - 1
  }
  return hex.slice(8)
}
