// The code that both sides show for a request, so that a person can compare them (docs/requests.md, "The short code").
import { numberOf } from '../codec/number.ts'
import { write } from '../codec/text.ts'

/**
 * Makes each guess expensive, so that no one can find another request with the same code while a person looks at it.
 */
const ROUNDS = 100_000
const SALT = new TextEncoder().encode('keyhole request code 1')
/** Crockford's base32: no characters that look alike. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The SHA-256 of a request's text, ignoring white space. */
export async function digestOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const letters = new TextEncoder().encode(text.replace(/\s/g, ''))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', letters))
}

/** Eight digits with a hyphen in the middle, such as `7K2M-Q9XD`. */
export async function shortCode(digest: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', digest, 'PBKDF2', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: SALT, iterations: ROUNDS },
    key,
    40,
  )
  const code = write(numberOf(new Uint8Array(bits)), DIGITS).padStart(8, '0')
  return `${code.slice(0, 4)}-${code.slice(4)}`
}
