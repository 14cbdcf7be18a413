// Decentralised identifiers: did:key with the three key types, and any other method as text (W3C DID Core 3.1).
import { fromBase58, toBase58 } from '../codec/text.ts'
import { KEY_TYPES, type PublicKey } from './key-type.ts'

/** Maximum length of a DID, in bytes. */
const MAX_DID_LENGTH = 2_048
/** Maximum number of base58 digits to decode in a did:key: 35 bytes are at most 48. */
const MAX_BASE58_LENGTH = 128
const FORM = /^did:([a-z\d]+):((?:[\w.:-]|%[\dA-Fa-f]{2})*(?:[\w.-]|%[\dA-Fa-f]{2}))$/

/** Whether a text is a DID. A did:key must be base58btc, and have the right length if we know its type. */
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

/** The key in a did:key of a known type. Doesn't check that it is a point on its curve. */
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
