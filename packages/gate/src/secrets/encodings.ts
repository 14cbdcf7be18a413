// The ways in which a secret may be written in an answer.

/** A secret as it stands, and in the encodings that programs use for bytes and text. The longest first. */
export function writingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const backwards = [...secret].reverse().join('')
  const writings = [
    secret,
    backwards,
    hex,
    ...base64Of(bytes),
    encodeURIComponent(secret),
    escapeSigns(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    escapeAll(secret, (byte) => `%${byte}`),
    escapeAll(secret, (byte) => `\\x${byte}`),
    escapeAll(secret, (byte) => `\\u00${byte}`),
    JSON.stringify(secret).slice(1, -1),
    htmlOf(secret),
    rot13(secret),
  ]
  return [...new Set(writings)].sort((a, b) => b.length - a.length)
}

/** What base64 makes of some bytes wherever they stand in a longer text: of three starts, the letters that depend on nothing else. */
export function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64url')
    const last = (shift + bytes.length) % 3 === 0 ? text.length : text.length - 1
    const inner = text.slice(Math.ceil((shift * 8) / 6), last)
    return [inner, inner.replaceAll('-', '+').replaceAll('_', '/')]
  })
}

/** Percent-encoded as in RFC 3986: more signs than `encodeURIComponent` takes. */
function escapeSigns(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function escapeAll(text: string, write: (hex: string) => string): string {
  return Array.from(Buffer.from(text), (byte) => write(byte.toString(16).padStart(2, '0'))).join('')
}

function htmlOf(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (letter) => names[letter] ?? letter)
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}
