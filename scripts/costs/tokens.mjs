// Building blocks of expensive inputs: tokens that are cheap to make, signed or forged, and texts of them.
import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { encode } from '../../vectors/generate/cbor.mjs'
import { alice, HEADERS, koblitz, nist, sign } from '../../vectors/generate/keys.mjs'
import { NOW, tokenOf } from '../../vectors/generate/token.mjs'

/** @typedef {import('../../vectors/generate/cbor.mjs').Link} Link */
/** @typedef {import('../../vectors/generate/keys.mjs').Key} Key */
/** @typedef {{call: string, input: Record<string, unknown>}} Asked */
/** @typedef {Record<string, number>} Genes */
/**
 * The bounds of each number, the function that uses them, and numbers that were expensive once, from which a search starts.
 * @typedef {{genes: Record<string, [number, number]>, costly?: Genes, make: (genes: any) => Asked}} Shape
 */

/** The most bytes to fill in a token: the most that are read, with some room. */
export const MOST_TOKEN = 1_000_000

/** One key per algorithm. */
export const KEYS = [alice, nist, koblitz]

const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest()
/** Meaningless letters, the same for the same name. @param {string} name @param {number} length */
export const letters = (name, length) =>
  digest(name)
    .toString('hex')
    .repeat(Math.ceil(length / 64))
    .slice(0, length)
/** @template T @param {number} length @param {(at: number) => T} make */
export const list = (length, make) => Array.from({ length: Math.floor(length) }, (_, at) => make(at))

/** A named principal with a DID of about this many letters. @param {string} name @param {number} length */
export const webDid = (name, length) =>
  `did:web:${digest(name).toString('hex').slice(0, 12)}.example${length > 32 ? `:${letters(name, length - 32)}` : ''}`

/**
 * A token by any issuer, with a real or a forged signature.
 * @param {string} kind
 * @param {Key} key
 * @param {object} payload
 * @param {boolean} isSigned
 * @param {string} name
 */
export function seal(kind, key, payload, isSigned, name) {
  const signed = encode({ h: HEADERS[key.type], [`ucan/${kind}@1.0.0`]: payload })
  const signature = isSigned ? sign(key, signed) : forged(key, name)
  return tokenOf(Buffer.concat([Buffer.from([0x82]), encode(signature), signed]), payload)
}

/** The first half of a signature: a point on the curve. */
const POINT = sign(alice, Buffer.from('R')).subarray(0, 32)

/** 64 bytes that must be checked to the end. @param {Key} key @param {string} name */
export function forged(key, name) {
  if (key.type === 'ed25519') return Buffer.concat([POINT, small(`s ${name}`).reverse()])
  return Buffer.concat([small(`r ${name}`), small(`s ${name}`)])
}

/** A number far below each curve's order, big-endian. @param {string} name */
function small(name) {
  const bytes = Buffer.from(digest(name))
  bytes[0] = 1
  return bytes
}

/** @param {string} name @param {number} [length] */
const nonce = (name, length = 8) => digest(name).subarray(0, length)

/** @param {{key?: Key, iss?: string, aud: string, sub: string | null, cmd?: string, pol?: unknown[], name: string, isSigned?: boolean, meta?: unknown}} fields */
export function delegation({
  key = alice,
  iss = key.did,
  aud,
  sub,
  cmd = '/',
  pol = [],
  name,
  isSigned = true,
  meta,
}) {
  const payload = {
    iss,
    aud,
    sub,
    cmd,
    pol,
    nonce: nonce(name),
    exp: null,
    ...(meta === undefined ? {} : { meta }),
  }
  return seal('dlg', key, payload, isSigned, name)
}

/** @param {{key?: Key, sub: string, cmd?: string, args?: unknown, proofs?: {link: Link}[], name?: string, isSigned?: boolean}} fields */
export function invocation({
  key = alice,
  sub,
  cmd = '/a',
  args = {},
  proofs = [],
  name = 'i',
  isSigned = true,
}) {
  const payload = {
    iss: key.did,
    sub,
    cmd,
    args,
    prf: proofs.map(({ link }) => link),
    nonce: nonce(name),
    exp: NOW + 300,
  }
  return seal('inv', key, payload, isSigned, name)
}

/** A container's text, compressed without effort. @param {{bytes: Buffer}[]} tokens */
export function text(tokens) {
  const cbor = encode({ 'ctn-v1': tokens.map(({ bytes }) => bytes) })
  return packed(deflateRawSync(cbor, { level: 6 }), cbor)
}

/** The text for data that was compressed to these bytes. @param {Uint8Array} deflated @param {Uint8Array} data */
export function packed(deflated, data) {
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc32(data))
  tail.writeUInt32LE(data.length, 4)
  const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
  return `P${Buffer.concat([head, deflated, tail]).toString('base64url')}`
}

const TABLE = list(256, (at) => {
  let value = at
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (0xedb88320 & -(value & 1))
  return value >>> 0
})
/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let value = 0xffffffff
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 255] ?? 0)
  return (value ^ 0xffffffff) >>> 0
}

/**
 * A delegation with this policy, and an invocation under it with these arguments.
 * @param {unknown[]} pol
 * @param {unknown} args
 * @param {number} [links]
 */
export function underPolicy(pol, args, links = 1) {
  // From nist to nist: a chain may return to an earlier holder, and only its length matters.
  const proofs = list(links, (at) =>
    delegation({ aud: at + 1 === links ? nist.did : alice.did, sub: alice.did, pol, name: `link ${at}` }),
  )
  return {
    call: 'validate_invocation',
    input: asked(text([...proofs, invocation({ key: nist, sub: alice.did, args, proofs })])),
  }
}

export const asked = (/** @type {string} */ invocation, more = {}) => ({ invocation, now: NOW, ...more })

/** The CID of a token that doesn't exist. */
export const LINK = delegation({ aud: nist.did, sub: alice.did, name: 'link' }).link
