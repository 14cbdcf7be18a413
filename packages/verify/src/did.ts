// Decentralised identifiers: a did:key by its key, any other method as text (W3C DID Core 3.1).

/** Maximum length of a DID, in characters. */
const LONGEST = 2_048
/** Maximum number of base58 digits to decode: the keys that we know have at most 48. */
const MOST_DIGITS = 128
const FORM = /^did:([a-z\d]+):((?:[\w.:-]|%[\dA-Fa-f]{2})*(?:[\w.-]|%[\dA-Fa-f]{2}))$/
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The first two bytes of the keys that we know, and how long these are: Ed25519, P-256 and secp256k1. */
const KEYS: readonly (readonly [number, number, number])[] = [
  [0xed, 0x01, 32],
  [0x80, 0x24, 33],
  [0xe7, 0x01, 33],
]

/** Whether a text is a DID. A did:key must have a key of a kind that we can check: with a letter lost, it has none. */
export function isDid(text: unknown): text is string {
  const [, method, identifier = ''] =
    (typeof text === 'string' && text.length <= LONGEST && FORM.exec(text)) || []
  if (method === undefined) return false
  return method !== 'key' || isKey(identifier)
}

function isKey(identifier: string): boolean {
  if (!identifier.startsWith('z') || identifier.length > MOST_DIGITS) return false
  const bytes = fromBase58(identifier.slice(1))
  return KEYS.some(
    ([first, second, length]) => bytes?.[0] === first && bytes[1] === second && bytes.length === 2 + length,
  )
}

function fromBase58(text: string): readonly number[] | undefined {
  let number = 0n
  for (const digit of text) {
    const at = BASE58.indexOf(digit)
    if (at < 0) return undefined
    number = number * 58n + BigInt(at)
  }
  const bytes: number[] = []
  for (; number > 0n; number >>= 8n) bytes.unshift(Number(number & 255n))
  return [...Array<number>(/^1*/.exec(text)?.[0].length ?? 0).fill(0), ...bytes]
}
