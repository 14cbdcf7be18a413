// The three algorithms, and signatures and headers that are not quite theirs.

import { createHash } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '../base.mjs'
import { casesOf } from '../case.mjs'
import { Raw } from '../cbor.mjs'
import { alice, bob, didOf, HEADERS, koblitz, mallory, nist, sign } from '../keys.mjs'
import { delegate, invoke } from '../token.mjs'

/** @typedef {import('../keys.mjs').Key} Key */

const CURVES = { p256, secp256k1 }
const LABELS = { ed25519: 'Ed25519', p256: 'P-256', secp256k1: 'secp256k1' }
const hex = (/** @type {bigint} */ value) => value.toString(16).padStart(64, '0')
const bytes = (/** @type {string} */ text) => Buffer.from(text, 'hex')

/** The other s: n − s. @param {Key} key @param {Uint8Array} message */
function highS(key, message) {
  const signature = sign(key, message)
  const order = CURVES[/** @type {'p256'} */ (key.type)].Point.Fn.ORDER
  const s = BigInt(`0x${signature.toString('hex', 32)}`)
  return Buffer.concat([signature.subarray(0, 32), bytes(hex(order - s))])
}

/** The first x that has no y, behind the byte of an even y. @param {'p256' | 'secp256k1'} type */
function offCurve(type) {
  for (let x = 2n; ; x += 1n) {
    const point = bytes(`02${hex(x)}`)
    try {
      CURVES[type].Point.fromBytes(point)
    } catch {
      return point
    }
  }
}

/** Valid, malleable, mistaken and unknown. */
export function algorithms() {
  const { cases, accept, refuse } = casesOf('algorithm')
  for (const key of [alice, nist, koblitz]) {
    const label = LABELS[key.type]
    accept(`${label}: its own invocation holds`, invoke({ by: key }))
    const root = delegate({ from: key, to: bob })
    accept(`${label}: its delegation holds`, invoke({ by: bob, sub: key, proofs: [root] }), [root])
    const forged = invoke(
      { by: key, signer: key },
      {
        signature: (message) => {
          const signature = sign(key, message)
          signature[40] ^= 1
          return signature
        },
      },
    )
    refuse(`${label}: a signature with one bit changed`, 'InvalidSignature', forged, forged)
    const short = invoke({ by: key }, { signature: (message) => sign(key, message).subarray(0, 63) })
    refuse(`${label}: a signature of 63 bytes`, 'InvalidSignature', short, short)
    const long = invoke(
      { by: key },
      { signature: (message) => Buffer.concat([sign(key, message), Buffer.alloc(1)]) },
    )
    refuse(`${label}: a signature of 65 bytes`, 'InvalidSignature', long, long)
    const none = invoke({ by: key }, { signature: () => Buffer.alloc(64) })
    refuse(`${label}: a signature of zeros`, 'InvalidSignature', none, none)
    for (const other of [alice, nist, koblitz].filter((other) => other !== key)) {
      const mistaken = invoke({ by: key }, { header: HEADERS[other.type] })
      refuse(
        `${label}: signed as ever under the header of ${LABELS[other.type]}`,
        'InvalidSignature',
        mistaken,
        mistaken,
      )
    }
  }
  const another = invoke({ by: alice, signer: mallory })
  refuse('Ed25519: signed by another key', 'InvalidSignature', another, another)

  for (const key of [nist, koblitz]) {
    const label = LABELS[key.type]
    const high = invoke({ by: key }, { signature: (message) => highS(key, message) })
    refuse(`${label}: high S in an invocation`, 'InvalidSignature', high, high)
    const root = delegate({ from: key, to: bob }, { signature: (message) => highS(key, message) })
    const use = invoke({ by: bob, sub: key, proofs: [root] })
    refuse(`${label}: high S in a proof`, 'InvalidSignature', root, use, [root])
    const curve = CURVES[/** @type {'p256'} */ (key.type)]
    const der = invoke(
      { by: key },
      { signature: (message) => curve.sign(message, key.seed, { format: 'der' }) },
    )
    refuse(`${label}: a signature in DER`, 'InvalidSignature', der, der)
    const sha512 = invoke(
      { by: key },
      {
        signature: (message) =>
          curve.sign(createHash('sha512').update(message).digest(), key.seed, { prehash: false }),
      },
    )
    refuse(`${label}: signed over SHA-512`, 'InvalidSignature', sha512, sha512)
    const over = invoke(
      { by: key },
      {
        signature: (message) =>
          Buffer.concat([sign(key, message).subarray(0, 32), bytes(hex(curve.Point.Fn.ORDER))]),
      },
    )
    refuse(`${label}: an S that is the order`, 'InvalidSignature', over, over)
    const did = didOf(key.type, offCurve(/** @type {'p256'} */ (key.type)))
    const nobody = invoke({ by: { ...key, did } })
    refuse(`${label}: an issuer that is no point of the curve`, 'InvalidSignature', nobody, nobody)
  }
  const crossed = { ...koblitz, type: /** @type {const} */ ('p256') }
  const wrongCurve = invoke({ by: nist, signer: crossed }, { signature: (message) => sign(koblitz, message) })
  refuse('P-256: signed on secp256k1 under its own header', 'InvalidSignature', wrongCurve, wrongCurve)
  // The multicodec of X25519: keys that sign nothing.
  const x25519 = base58(Buffer.concat([bytes('ec01'), alice.seed]))
  const silent = invoke({ by: { ...alice, did: `did:key:z${x25519}` } })
  refuse('an issuer with a key of another kind', 'InvalidSignature', silent, silent)
  const elsewhere = invoke({ by: { ...alice, did: 'did:web:alice.example' } })
  refuse(
    'an issuer whose key is not in its DID and cannot be asked for',
    'InvalidSignature',
    elsewhere,
    elsewhere,
  )

  for (const [header, words] of [
    ['', 'without bytes'],
    ['34', 'of a prefix alone'],
    ['3401', 'without an algorithm'],
    ['3401ed01ed011370', 'for another encoding than DAG-CBOR'],
    ['3401ed01ed011271', 'of Ed25519 over SHA-256'],
    ['3401ec0180241371', 'of P-256 over SHA-512'],
    ['3401ec0180241271ff', 'with a byte after its end'],
    ['3401ec018124', 'of P-384'],
    ['3401852400', 'of RSA'],
    ['34ed01ed011371', 'without a version'],
    ['3402ed01ed011371', 'of another version'],
    ['3401ed81 00ed011371'.replace(' ', ''), 'with a varint that is not minimal'],
    ['d1e7', 'of nothing known'],
  ]) {
    const token = invoke({ by: alice }, { header: bytes(header ?? '') })
    refuse(`a header ${words}`, 'MalformedToken', token, token)
  }
  for (const [header, words] of [
    [null, 'null'],
    ['34', 'a text'],
    [new Raw(bytes('01')), 'a number'],
  ]) {
    const token = invoke({ by: alice }, { header })
    refuse(`a header that is ${words}`, 'MalformedToken', undefined, token)
  }
  return cases
}
