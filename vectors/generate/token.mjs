// Tokens: an envelope around the payload of a delegation or an invocation, and a way to get each part of it wrong.

import { createHash } from 'node:crypto'
import { base32, base58 } from './base.mjs'
import { encode, Link } from './cbor.mjs'
import { HEADERS, sign } from './keys.mjs'

/** @typedef {import('./keys.mjs').Key} Key */
/** @typedef {{ bytes: Buffer, cid: string, base58: string, link: Link, fields: Record<string, unknown> }} Token */
/**
 * What is not as it should be: another header, tag or signature, other entries beside the payload, the signed bytes as they
 * are, or another assembly of the two.
 *
 * @typedef {object} Changes
 * @property {unknown} [header]
 * @property {string} [tag]
 * @property {(message: Buffer) => Uint8Array} [signature]
 * @property {Record<string, unknown>} [beside]
 * @property {(signed: { h: unknown, tag: string, payload: unknown }) => Buffer} [signed]
 * @property {(signature: Uint8Array, signed: Buffer) => Buffer} [envelope]
 */

/** The moment at which everything is asked, in seconds. */
export const NOW = 1_800_000_000

/** Twelve bytes, the same in every token: no case has two that differ in nothing else. */
export const NONCE = Buffer.from('000102030405060708090a0b', 'hex')

const EDITION = '1.0.0'

/** @param {Uint8Array} bytes */
function cidOf(bytes) {
  const hash = createHash('sha256').update(bytes).digest()
  return Buffer.concat([Buffer.from('01711220', 'hex'), hash])
}

/** @param {Uint8Array} cid */
export const cidText = (cid) => `b${base32(cid)}`

/** The DID of a key; anything else is itself. @param {any} who */
const did = (who) => who?.did ?? who

/**
 * @param {Uint8Array} bytes
 * @param {Record<string, unknown>} [fields]
 * @returns {Token}
 */
export function tokenOf(bytes, fields = {}) {
  const cid = cidOf(bytes)
  return {
    bytes: Buffer.from(bytes),
    cid: cidText(cid),
    base58: `z${base58(cid)}`,
    link: new Link(cid),
    fields,
  }
}

/**
 * Any envelope.
 *
 * @param {Key} signer
 * @param {string} kind `dlg` or `inv`
 * @param {unknown} payload
 * @param {Changes} [changes]
 */
export function seal(signer, kind, payload, changes = {}) {
  const { header = HEADERS[signer.type], tag = `ucan/${kind}@${EDITION}`, beside = {} } = changes
  const signed =
    changes.signed?.({ h: header, tag, payload }) ?? encode({ h: header, [tag]: payload, ...beside })
  const signature = changes.signature?.(signed) ?? sign(signer, signed)
  const together = Buffer.concat([Buffer.from([0x82]), encode(signature), signed])
  return tokenOf(changes.envelope?.(signature, signed) ?? together, /** @type {any} */ (payload))
}

/**
 * A delegation. Without more words: by alice to bob, of `/msg`, over what the issuer owns, for ever. Fields of `more` take
 * the place of the payload's; one that is `undefined` leaves it out.
 *
 * @param {{ from: Key, to: Key | string, sub?: Key | string | null, signer?: Key } & Record<string, unknown>} fields
 * @param {Changes} [changes]
 */
export function delegate({ from, to, signer = from, ...more }, changes) {
  const sub = 'sub' in more ? more.sub : from
  const usual = { cmd: '/msg', pol: [], nonce: NONCE, exp: null }
  return seal(signer, 'dlg', { iss: did(from), aud: did(to), ...usual, ...more, sub: did(sub) }, changes)
}

/**
 * An invocation of `/msg/send`, with `proofs` named root first. Fields of `more` as in {@link delegate}.
 *
 * @param {{ by: Key, sub?: Key | string, proofs?: Token[], signer?: Key } & Record<string, unknown>} fields
 * @param {Changes} [changes]
 */
export function invoke({ by, proofs = [], signer = by, aud, ...more }, changes) {
  const sub = 'sub' in more ? more.sub : by
  const usual = {
    cmd: '/msg/send',
    args: {},
    prf: proofs.map(({ link }) => link),
    nonce: NONCE,
    exp: NOW + 300,
  }
  const parties = { sub: did(sub), aud: did(aud) }
  return seal(signer, 'inv', { iss: did(by), ...usual, ...more, ...parties }, changes)
}

/**
 * The task of an invocation: the CID of what is done to whom.
 *
 * @param {Token} invocation
 */
export function taskOf({ fields: { sub, cmd, args, nonce } }) {
  return cidText(cidOf(encode({ sub, cmd, args, nonce })))
}
