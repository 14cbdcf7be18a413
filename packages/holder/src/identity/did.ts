// Decentralised identifiers: did:key of the three key types, and any other method as text (W3C DID Core 3.1).
import { fromBase58, toBase58 } from '../codec/text.ts'
import { KEY_TYPES, type PublicKey } from './key-type.ts'

/** Longest DID that is read, in bytes. */
const MAX_DID_LENGTH = 2_048
/** Most base58 digits of a did:key that are decoded: 35 bytes are at most 48. */
const MAX_BASE58_LENGTH = 128
const FORM = /^did:([a-z\d]+):((?:[\w.:-]|%[\dA-Fa-f]{2})*(?:[\w.-]|%[\dA-Fa-f]{2}))$/

/** Whether a text is a DID; one of the method `key` is base58btc, and of the right length where its type is one of ours. */
export function isDid(text: string): boolean {
  const [, method, identifier = ''] = (text.length <= MAX_DID_LENGTH && FORM.exec(text)) || []
  if (method === undefined) return false
  if (method !== 'key') return true
  const bytes = decode(identifier)
  return bytes !== undefined && bytes.length > 1 && (!typeOf(bytes) || keyIn(bytes) !== undefined)
}

/** The did:key of an Ed25519 key. */
export function didOf(key: Uint8Array): string {
  return `did:key:z${toBase58(Uint8Array.of(0xed, 1, ...key))}`
}

/** The key in a did:key of a type that we know. Whether it is a point of its curve is not looked at. */
export function keyOf(did: string): PublicKey | undefined {
  const bytes = did.startsWith('did:key:') ? decode(did.slice(8)) : undefined
  return bytes && keyIn(bytes)
}

function decode(identifier: string): Uint8Array<ArrayBuffer> | undefined {
  const isShort = identifier.length <= MAX_BASE58_LENGTH + 1
  return identifier.startsWith('z') && isShort ? fromBase58(identifier.slice(1)) : undefined
}

function typeOf(multicodec: Uint8Array) {
  return KEY_TYPES.find(({ codec }) => codec.every((byte, at) => multicodec[at] === byte))
}

function keyIn(multicodec: Uint8Array<ArrayBuffer>): PublicKey | undefined {
  const found = typeOf(multicodec)
  const bytes = multicodec.subarray(2)
  return found?.length === bytes.length ? { type: found.type, bytes } : undefined
}
