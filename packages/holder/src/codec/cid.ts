// Content identifiers. Tokens use version 1, DAG-CBOR and SHA-256; a link in arguments may use any.
import { fromBase32, fromBase58, toBase32, toBase58, toLatin1 } from './text.ts'
import { Link } from './value.ts'

/** The prefix of a token's CID: version, codec, hash and digest length. */
const TOKEN = [1, 0x71, 0x12, 32]
/** An unsigned integer of up to 64 bits, seven per byte, in its shortest form (multiformats, unsigned-varint). */
const VARINT = '(?:[\\x80-\\xff]{0,8}[\\x01-\\x7f]|[\\x80-\\xff]{9}\\x01|\\0)'
/** Version 1: a codec, a hash, the length of its digest (at most 64 bytes), and the digest. */
const VERSION_1 = new RegExp(`^\\x01${VARINT}${VARINT}([\\0-\\x40])([^]*)$`)

/** Node's own hash, in Node, Bun and Deno: it is synchronous, while WebCrypto uses another thread. */
const builtIn = globalThis.process?.getBuiltinModule?.('node:crypto')

/** The CID of a block of DAG-CBOR. */
export async function cidOf(block: Uint8Array<ArrayBuffer>): Promise<Link> {
  const digest =
    builtIn?.createHash('sha256').update(block).digest() ??
    new Uint8Array(await crypto.subtle.digest('SHA-256', block))
  return new Link(Uint8Array.of(...TOKEN, ...digest))
}

/** Whether a value is a link to a token. */
export function isTokenLink(value: unknown): value is Link {
  return (
    value instanceof Link && value.bytes.length === 36 && TOKEN.every((byte, at) => value.bytes[at] === byte)
  )
}

/** A CID as text: base32 for version 1, base58btc without a prefix for version 0. */
export function cidText({ bytes }: Link): string {
  return bytes[0] === 1 ? `b${toBase32(bytes)}` : toBase58(bytes)
}

/** Reads a CID in base32, or in base58btc with its prefix (without it for version 0); undefined for anything else. */
export function readCid(text: string): Link | undefined {
  const [, base, digits = ''] = /^([bz]?)(\w{1,256})$/.exec(text) ?? []
  const bytes = base === 'b' ? fromBase32(digits) : fromBase58(digits)
  // Version 0 has only one text form.
  return bytes && isCid(bytes) && (base === '') === (bytes[0] !== 1) ? new Link(bytes) : undefined
}

/** Whether these bytes are exactly one CID, in its canonical form. */
export function isCid(bytes: Uint8Array): boolean {
  const [, length = '', digest = ''] = VERSION_1.exec(toLatin1(bytes)) ?? []
  return length === ''
    ? bytes[0] === 0x12 && bytes[1] === 32 && bytes.length === 34
    : digest.length === length.charCodeAt(0)
}
