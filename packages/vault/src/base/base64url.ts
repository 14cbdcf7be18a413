const LETTERS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

/**
 * Bytes as base64url without padding (RFC 4648 section 5). Uses a table because `btoa` needs a string, which takes ten
 * times as long to build.
 */
export function toBase64Url(bytes: Uint8Array): string {
  const letters = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  let to = 0
  for (let at = 0; at < bytes.length; at += 3) {
    // Reads zeros past the end; the letters for those alone don't fit in `letters` and are dropped.
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    letters[to++] = LETTERS[three >> 18] ?? 0
    letters[to++] = LETTERS[(three >> 12) & 63] ?? 0
    letters[to++] = LETTERS[(three >> 6) & 63] ?? 0
    letters[to++] = LETTERS[three & 63] ?? 0
  }
  return new TextDecoder().decode(letters)
}

/** The number of each letter, by its code; undefined if it isn't one. */
const NUMBERS: (number | undefined)[] = []
for (const [number, letter] of LETTERS.entries()) NUMBERS[letter] = number

/** The bytes of a base64url text; undefined if it isn't one. Ten times as fast as `atob` and a copy of its string. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let [to, held, bits] = [0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const number = NUMBERS[text.charCodeAt(at)]
    if (number === undefined) return undefined
    held = (held << 6) | number
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[to++] = held >> bits
    held &= (1 << bits) - 1
  }
  // Leftover bits would give one value several texts.
  return held === 0 ? bytes : undefined
}

/** The last letter of a base64url text, by what is left of its length: bits that it doesn't need are zero. */
const LAST_LETTERS = [/[\w-]/, /(?!)/, /[AQgw]/, /[AEIMQUYcgkosw048]/]

/**
 * Whether {@link fromBase64Url} reads a text, without reading it. False for an empty one.
 * @param bytes how many bytes it must have. Default: any number
 */
export function isBase64Url(text: string, bytes = Math.floor((text.length * 3) / 4)): boolean {
  const isLastRight = LAST_LETTERS[text.length % 4]?.test(text.slice(-1)) === true
  return text.length === Math.ceil((bytes * 4) / 3) && /^[\w-]+$/.test(text) && isLastRight
}
