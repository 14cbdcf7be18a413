/** Makes each guess at a code slow, so that no one can craft another request with the same code while a person compares them. */
const ROUNDS = 100_000
const SALT = new TextEncoder().encode('keyhole request code 1')
/** Crockford's base32. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** SHA-256 of a request's text. */
export async function digestOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** The code that the asker shows too, for a person to compare (docs/requests.md, "The short code"). */
export async function shortCode(text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', await digestOf(text), 'PBKDF2', false, ['deriveBits'])
  const derived = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: SALT, iterations: ROUNDS },
    key,
    40,
  )
  const number = new Uint8Array(derived).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const code = Array.from({ length: 8 }, (_, at) => DIGITS[Number((number >> BigInt(35 - 5 * at)) & 31n)])
  return `${code.slice(0, 4).join('')}-${code.slice(4).join('')}`
}
