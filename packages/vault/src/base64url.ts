const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Bytes as base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3)
    const group = (one << 16) | (two << 8) | three
    const digits = [group >> 18, (group >> 12) & 63, (group >> 6) & 63, group & 63]
    const used = Math.min(3, bytes.length - at) + 1
    for (const digit of digits.slice(0, used)) text += ALPHABET[digit]
  }
  return text
}

/** The bytes of a base64url text; undefined where it is none. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let held = 0
  let bits = 0
  let at = 0
  for (const digit of text) {
    held = ((held << 6) | ALPHABET.indexOf(digit)) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >> bits) & 0xff
  }
  return bytes
}
