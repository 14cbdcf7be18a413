// ECDSA over P-256 and secp256k1, for verifying only. No WebCrypto has secp256k1, and not all can import a compressed
// P-256 key. All inputs are public (number.ts).
import { mod, numberOf, power } from '../codec/number.ts'
import type { PublicKey } from './key-type.ts'

interface Curve {
  readonly p: bigint
  readonly n: bigint
  readonly a: bigint
  readonly b: bigint
  /** The base point, compressed, as a number. */
  readonly g: bigint
}

/** A point in Jacobian coordinates; `z` is 0 at infinity. */
interface Point {
  readonly x: bigint
  readonly y: bigint
  readonly z: bigint
}

const INFINITY: Point = { x: 1n, y: 1n, z: 0n }

/** SEC 2, sections 2.4.1 and 2.4.2. */
const CURVES: Readonly<Record<'P-256' | 'secp256k1', Curve>> = {
  'P-256': {
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    n: 2n ** 256n - 2n ** 224n + 2n ** 192n - 0x4319055258e8617b0c46353d039cdaafn,
    a: -3n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    g: 0x036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  },
  secp256k1: {
    p: 2n ** 256n - 2n ** 32n - 977n,
    n: 2n ** 256n - 0x14551231950b75fc4402da1732fc9bebfn,
    a: 0n,
    b: 7n,
    g: 0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  },
}

/** Whether a compressed key is a point on its curve. */
export function isCurvePoint({ type, bytes }: PublicKey): boolean {
  return type !== 'Ed25519' && unpack(CURVES[type], numberOf(bytes)) !== undefined
}

/** Whether `signature` (r and s, 32 bytes each, s the lower one) is this key's for a message with this SHA-256. */
export function verifyEcdsa({ type, bytes }: PublicKey, digest: Uint8Array, signature: Uint8Array): boolean {
  if (type === 'Ed25519') return false
  const curve = CURVES[type]
  const { n, p } = curve
  const [base, key] = [curve.g, numberOf(bytes)].map((packed) => unpack(curve, packed))
  const r = numberOf(signature.subarray(0, 32))
  const s = numberOf(signature.subarray(32))
  if (!base || !key || r === 0n || r >= n || s === 0n || s > n / 2n) return false
  const inverse = power(s, n - 2n, n)
  const sum = combine(curve, base, mod(numberOf(digest) * inverse, n), key, mod(r * inverse, n))
  if (sum.z === 0n) return false
  const x = mod(sum.x * power(sum.z * sum.z, p - 2n, p), p)
  return mod(x, n) === r
}

/** A compressed point (SEC 1, section 2.3.4), read as a number. Both primes are 3 modulo 4. */
function unpack({ p, a, b }: Curve, packed: bigint): Point | undefined {
  const x = BigInt.asUintN(256, packed)
  const sign = (packed >> 256n) - 2n
  if (x >= p || (sign !== 0n && sign !== 1n)) return undefined
  const square = mod(x * x * x + a * x + b, p)
  const root = power(square, (p + 1n) / 4n, p)
  if ((root * root) % p !== square) return undefined
  const y = (root & 1n) === sign ? root : p - root
  return { x, y, z: 1n }
}

/** u·P + v·Q, both in one pass. */
function combine(curve: Curve, left: Point, u: bigint, right: Point, v: bigint): Point {
  const both = add(curve, left, right)
  let sum = INFINITY
  for (let bit = 255n; bit >= 0n; bit -= 1n) {
    sum = double(curve, sum)
    const isLeft = (u >> bit) & 1n
    const isRight = (v >> bit) & 1n
    if (isLeft || isRight) sum = add(curve, sum, isLeft ? (isRight ? both : left) : right)
  }
  return sum
}

function double({ p, a }: Curve, { x, y, z }: Point): Point {
  if (z === 0n || y === 0n) return INFINITY
  const yy = (y * y) % p
  const s = (4n * x * yy) % p
  const zz = (z * z) % p
  const m = (3n * x * x + a * zz * zz) % p
  const newX = mod(m * m - 2n * s, p)
  return { x: newX, y: mod(m * (s - newX) - 8n * yy * yy, p), z: (2n * y * z) % p }
}

function add(curve: Curve, one: Point, other: Point): Point {
  if (one.z === 0n) return other
  if (other.z === 0n) return one
  const { p } = curve
  const zz = (one.z * one.z) % p
  const otherZz = (other.z * other.z) % p
  const u = (one.x * otherZz) % p
  const s = (one.y * otherZz * other.z) % p
  const h = mod(other.x * zz - u, p)
  const r = mod(other.y * zz * one.z - s, p)
  if (h === 0n) return r === 0n ? double(curve, one) : INFINITY
  const hh = (h * h) % p
  const hhh = (h * hh) % p
  const v = (u * hh) % p
  const x = mod(r * r - hhh - 2n * v, p)
  return { x, y: mod(r * (v - x) - s * hhh, p), z: (h * one.z * other.z) % p }
}
