// Which Ed25519 keys are accepted (docs/ucan.md, "Ed25519"): canonical encodings, not of small order. WebCrypto checks
// the signature with the cofactorless equation, and only accepts R in canonical form. Signatures crafted to need the
// cofactor are refused.
import { mod, numberOf, power } from '../codec/number.ts'

const P = 2n ** 255n - 19n
/** The curve's constant, -121665/121666. */
const D = mod(-121665n * power(121666n, P - 2n, P), P)

/** Whether 32 bytes are a usable key: canonical, on the curve, not of small order. */
export function isUsableKey(bytes: Uint8Array): boolean {
  const number = numberOf(bytes.slice().reverse())
  const y = number & (2n ** 255n - 1n)
  const yy = (y * y) % P
  // Small order: 1 and 2 if y is 1 and -1, 4 if it is 0, and 8 if the double's y, (y² + x²) over something, is 0.
  if (y >= P || (y * (yy - 1n) * (D * yy * yy + 2n * yy - 1n)) % P === 0n) return false
  // x² = u/v has a root if u·v has one (RFC 8032, section 5.1.3).
  return power((yy - 1n) * (D * yy + 1n), (P - 1n) / 2n, P) === 1n
}
