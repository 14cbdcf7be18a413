/** Most bytes `crypto.getRandomValues` returns at once. */
const RANDOM_AT_ONCE = 65_536

/** Returns random bytes. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < bytes.length; at += RANDOM_AT_ONCE) {
    crypto.getRandomValues(bytes.subarray(at, at + RANDOM_AT_ONCE))
  }
  return bytes
}
