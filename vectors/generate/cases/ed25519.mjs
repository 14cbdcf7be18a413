// Ed25519 at its edges, by one rule, single and batch alike: key and R in canonical encoding, a key that is not of small
// order, s below the group's order, and [8][s]B = [8]R + [8][k]A.

import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { casesOf, holding, refusal } from '../case.mjs'
import { text } from '../container.mjs'
import { alice, bob, didOf, sign } from '../keys.mjs'
import { delegate, invoke, NOW } from '../token.mjs'

const { Point } = ed25519
const ORDER = Point.Fn.ORDER
/** A point of order eight, and the identity. */
const EIGHTH = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
const IDENTITY = Point.ZERO

const sha512 = (/** @type {Uint8Array[]} */ ...parts) =>
  createHash('sha512').update(Buffer.concat(parts)).digest()
const number = (/** @type {Uint8Array} */ bytes) =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const encoded = (/** @type {bigint} */ value) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()

/** The scalar of a seed. */
const secret = (/** @type {Uint8Array} */ seed) => {
  const bytes = sha512(seed).subarray(0, 32)
  bytes[0] &= 248
  bytes[31] = (bytes[31] & 127) | 64
  return number(bytes) % ORDER
}

/**
 * A signature with the R and the key as given, so that the equation holds up to a part of small order.
 *
 * @param {Uint8Array} key the bytes of the key that verifies
 * @param {bigint} r
 * @param {Uint8Array} R what stands for [r]B
 * @param {Uint8Array} message
 */
function signWith(key, r, R, message) {
  const k = number(sha512(R, key, message)) % ORDER
  return Buffer.concat([R, encoded((r + k * secret(alice.seed)) % ORDER)])
}

/** Small order, mixed order, and more than one encoding. */
export function ed25519Points() {
  const { cases, accept, refuse, add } = casesOf('Ed25519 rule')
  const own = Buffer.from(ed25519.getPublicKey(alice.seed))
  const r = 0x1234567890abcdefn
  const R = Point.BASE.multiply(r)

  const withR = (/** @type {bigint} */ factor, /** @type {Uint8Array} */ bytes) =>
    invoke({ by: alice }, { signature: (message) => signWith(own, factor, bytes, message) })
  const plain = withR(r, R.toBytes())
  accept('an R of our own choice', plain)
  const mixedR = withR(r, R.add(EIGHTH).toBytes())
  accept('an R with a part of order eight', mixedR)
  accept('an R that is a point of order eight', withR(0n, EIGHTH.toBytes()))
  accept('an R that is the identity', withR(0n, IDENTITY.toBytes()))

  // The identity once more, as y = 1 + p, and with the sign of a zero x set; the point of order two, with its sign set.
  const beyond = Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex')
  const signed = Buffer.from(`01${'00'.repeat(30)}80`, 'hex')
  const two = Buffer.from(`ec${'ff'.repeat(31)}`, 'hex')
  for (const [bytes, words] of /** @type {[Buffer, string][]} */ ([
    [beyond, 'an R whose y is not below the prime'],
    [signed, 'an R of zero x with its sign set'],
    [two, 'an R of order two with its sign set'],
  ])) {
    const token = withR(0n, bytes)
    refuse(words, 'InvalidSignature', token, token)
  }
  const notAPoint = withR(r, Buffer.from(`02${'00'.repeat(31)}`, 'hex'))
  refuse('an R that is no point', 'InvalidSignature', notAPoint, notAPoint)

  const unreduced = invoke(
    { by: alice },
    {
      signature: (message) => {
        const signature = sign(alice, message)
        return Buffer.concat([signature.subarray(0, 32), encoded(number(signature.subarray(32)) + ORDER)])
      },
    },
  )
  refuse('an s with the order of the group added', 'InvalidSignature', unreduced, unreduced)

  const by = (/** @type {Uint8Array} */ key) => ({ ...alice, did: didOf('ed25519', key) })
  const mixedKey = Buffer.from(Point.fromBytes(own).add(EIGHTH).toBytes())
  // Under this nonce k is odd: without the cofactor the equation would not hold.
  const withMixedKey = oddly(
    (nonce) =>
      invoke(
        { by: by(mixedKey), nonce },
        { signature: (message) => signWith(mixedKey, r, R.toBytes(), message) },
      ),
    mixedKey,
    R.toBytes(),
  )
  accept('a key with a part of order eight', withMixedKey)
  const root = delegate(
    { from: by(mixedKey), to: bob },
    {
      signature: (message) => signWith(mixedKey, r, R.add(EIGHTH).toBytes(), message),
    },
  )
  accept(
    'a proof whose key and R have parts of order eight',
    invoke({ by: bob, sub: by(mixedKey), proofs: [root] }),
    [root],
  )

  for (const [key, words] of /** @type {[Uint8Array, string][]} */ ([
    [IDENTITY.toBytes(), 'the identity'],
    [EIGHTH.toBytes(), 'a point of order eight'],
    [Buffer.from(`ec${'ff'.repeat(30)}7f`, 'hex'), 'the point of order two'],
    [Buffer.alloc(32), 'a point of order four'],
    [beyond, 'the identity in its other encoding'],
    [signed, 'the identity with its sign set'],
    [Buffer.from(`02${'00'.repeat(31)}`, 'hex'), 'no point of the curve'],
  ])) {
    // Where the key is of small order, R = [s]B holds whatever the message.
    const token = invoke({ by: by(key) }, { signature: () => Buffer.concat([R.toBytes(), encoded(r)]) })
    refuse(`a key that is ${words}`, 'InvalidSignature', token, token)
  }

  const usual = invoke({ by: alice, args: { n: 1 } })
  const all = [usual, mixedR, unreduced, withMixedKey, notAPoint, plain]
  add(
    'validate_batch',
    'a batch answers about each of them as it would alone',
    { invocations: all.map((token) => text([token])), now: NOW },
    {
      results: all.map((token) =>
        token === unreduced || token === notAPoint ? refusal('InvalidSignature', token) : holding(token, []),
      ),
    },
  )
  return cases
}

/**
 * The first token, by its nonce, whose k is odd.
 *
 * @param {(nonce: Buffer) => import('../token.mjs').Token} make
 * @param {Uint8Array} key
 * @param {Uint8Array} R
 */
function oddly(make, key, R) {
  for (let nonce = 0; ; nonce += 1) {
    const token = make(Buffer.from([nonce]))
    const message = token.bytes.subarray(1 + 2 + 64)
    if ((number(sha512(R, key, message)) % ORDER) % 2n === 1n) return token
  }
}
