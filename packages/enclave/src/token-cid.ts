/** What comes before the 32 bytes of the digest: version 1, DAG-CBOR, SHA-256, and its length. */
const HEAD = 0x01711220n
/** Bits of the digest, and those that base32 adds at the end. */
const DIGEST = 256n
const PADDING = 2n
/** Characters of all of it in base32. */
const LENGTH = 58

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
/** Digits of numbers to the base 32 in JavaScript. */
const DIGITS = '0123456789abcdefghijklmnopqrstuv'
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

const PRINTED = /^bafyrei[a-h][a-z2-7]{50}[aeimquy4]$/
const IN_BASE58 = /^z[2-9A-HJ-NP-Za-km-z][1-9A-HJ-NP-Za-km-z]{0,62}$/

/**
 * A token's CID in DAG-JSON, a link or a text, as the enclave prints it. Reads what the enclave reads, base58btc (`zdpu…`)
 * too: programs that find tokens by a CID compare only what this answers. Undefined if it is none.
 */
export function tokenCid(value: unknown): string | undefined {
  const text: unknown = typeof value === 'object' && value !== null && '/' in value ? value['/'] : value
  if (typeof text !== 'string') return undefined
  if (PRINTED.test(text)) return text
  if (!IN_BASE58.test(text)) return undefined
  let number = 0n
  for (const letter of text.slice(1)) number = number * 58n + BigInt(BASE58.indexOf(letter))
  if (number >> DIGEST !== HEAD) return undefined
  const digits = (number << PADDING).toString(32).padStart(LENGTH, '0')
  return `b${Array.from(digits, (digit) => BASE32.charAt(DIGITS.indexOf(digit))).join('')}`
}
