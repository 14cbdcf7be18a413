const LETTERS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

/** Bytes as base64url without padding (RFC 4648 section 5). By a table: `btoa` wants a text, and making it takes ten times as long. */
export function toBase64Url(bytes: Uint8Array): string {
  const letters = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  let to = 0
  for (let at = 0; at < bytes.length; at += 3) {
    // Past the end there are zeros, and no room for the letters that would stand for them alone.
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    letters[to++] = LETTERS[three >> 18] ?? 0
    letters[to++] = LETTERS[(three >> 12) & 63] ?? 0
    letters[to++] = LETTERS[(three >> 6) & 63] ?? 0
    letters[to++] = LETTERS[three & 63] ?? 0
  }
  return new TextDecoder().decode(letters)
}

/** The bytes of a base64url text; undefined where it is none. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}
