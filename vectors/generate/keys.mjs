// Fixed keys, and what each signs. RFC 8032 and RFC 6979: the same signature each time.

import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from './base.mjs'

/** @typedef {'ed25519' | 'p256' | 'secp256k1'} KeyType */
/** @typedef {{ name: string, type: KeyType, seed: Buffer, did: string }} Key */

const CURVES = { ed25519, p256, secp256k1 }

/** The multicodec of each type's public keys, as a varint. */
const MULTICODECS = { ed25519: 'ed01', p256: '8024', secp256k1: 'e701' }

/** The varsig header of each type: what a token says it is signed with, and that DAG-CBOR is what was signed. */
export const HEADERS = {
  ed25519: Buffer.from('3401ed01ed011371', 'hex'),
  p256: Buffer.from('3401ec0180241271', 'hex'),
  secp256k1: Buffer.from('3401ec01e7011271', 'hex'),
}

/**
 * The `did:key` of a public key's bytes.
 *
 * @param {KeyType} type
 * @param {Uint8Array} publicKey
 */
export const didOf = (type, publicKey) =>
  `did:key:z${base58(Buffer.concat([Buffer.from(MULTICODECS[type], 'hex'), publicKey]))}`

/**
 * @param {string} name
 * @param {KeyType} type
 * @returns {Key}
 */
export function key(name, type) {
  const seed = createHash('sha256').update(`keyhole vectors: ${name}`).digest()
  return { name, type, seed, did: didOf(type, CURVES[type].getPublicKey(seed)) }
}

/** Owns what most cases are about. */
export const alice = key('alice', 'ed25519')
export const bob = key('bob', 'ed25519')
export const carol = key('carol', 'ed25519')
export const dave = key('dave', 'ed25519')
/** Was given nothing. */
export const mallory = key('mallory', 'ed25519')
/** Carries invocations out. */
export const service = key('service', 'ed25519')
export const nist = key('nist', 'p256')
export const koblitz = key('koblitz', 'secp256k1')

export const KEYS = [alice, bob, carol, dave, mallory, service, nist, koblitz]

/**
 * 64 bytes: Ed25519 as it is, ECDSA over the SHA-256 of the message as r and s, the lower s.
 *
 * @param {Key} signer
 * @param {Uint8Array} message
 */
export const sign = ({ type, seed }, message) => Buffer.from(CURVES[type].sign(message, seed))
