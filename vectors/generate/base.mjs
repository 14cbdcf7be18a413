// Bases of text that Node has not.

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * Base58 with Bitcoin's letters.
 *
 * @param {Uint8Array} bytes
 */
export function base58(bytes) {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  let text = ''
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n) {
    text = BASE58[Number(rest % 58n)] + text
  }
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}

/**
 * Lower-case base32 of RFC 4648, without padding.
 *
 * @param {Uint8Array} bytes
 */
export function base32(bytes) {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, (five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)])
}
