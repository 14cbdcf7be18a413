// Content identifiers. Tokens have version 1, DAG-CBOR and SHA-256; a link in arguments may have any.
import { fromBase32, fromBase58, toBase32, toBase58, toLatin1 } from './text.ts'
import { Link } from './value.ts'

/** What stands before the digest of a token's CID: the version, the codec, the hash and its length. */
const TOKEN = [1, 0x71, 0x12, 32]
/** An unsigned integer of up to 64 bits, seven of them a byte, in its shortest form (multiformats, unsigned-varint). */
const VARINT = '(?:[\\x80-\\xff]{0,8}[\\x01-\\x7f]|[\\x80-\\xff]{9}\\x01|\\0)'
/** Version 1: a codec, a hash, how long its digest is (64 bytes at most), and the digest. */
const VERSION_1 = new RegExp(`^\\x01${VARINT}${VARINT}([\\0-\\x40])([^]*)$`)

/** The CID of a block of DAG-CBOR. */
export async function cidOf(block: Uint8Array<ArrayBuffer>): Promise<Link> {
  const digest = await crypto.subtle.digest('SHA-256', block)
  return new Link(Uint8Array.of(...TOKEN, ...new Uint8Array(digest)))
}

/** Whether a value is a link to a token. */
export function isTokenLink(value: unknown): value is Link {
  return (
    value instanceof Link && value.bytes.length === 36 && TOKEN.every((byte, at) => value.bytes[at] === byte)
  )
}

/** A CID as it is printed: base32 for version 1, base58btc without a prefix for version 0. */
export function cidText({ bytes }: Link): string {
  return bytes[0] === 1 ? `b${toBase32(bytes)}` : toBase58(bytes)
}

/** Reads a CID in base32, or in base58btc with its prefix or, of version 0, without; undefined for anything else. */
export function readCid(text: string): Link | undefined {
  const [, base, digits = ''] = /^([bz]?)(\w{1,256})$/.exec(text) ?? []
  const bytes = base === 'b' ? fromBase32(digits) : fromBase58(digits)
  // Version 0 has one text alone.
  return bytes && isCid(bytes) && (base === '') === (bytes[0] !== 1) ? new Link(bytes) : undefined
}

/** Whether these bytes are a CID, written as it would be written, and nothing else. */
export function isCid(bytes: Uint8Array): boolean {
  const [, length = '', digest = ''] = VERSION_1.exec(toLatin1(bytes)) ?? []
  return length === ''
    ? bytes[0] === 0x12 && bytes[1] === 32 && bytes.length === 34
    : digest.length === length.charCodeAt(0)
}
