// Containers 0.1.0: how tokens travel (`ucan-wg/container`). A header byte says how the CBOR of `{"ctn-v1": [token
// bytes …]}` is packed: `@` raw, `B` base64, `C` base64url; `M`, `O`, `P` the same after gzip.

import { CborReader } from '../codec/cbor-reader.ts'
import { encodeCbor } from '../codec/cbor-writer.ts'
import { gunzip, gzip, unpackedLength } from '../codec/gzip.ts'
import { fromBase64, fromBase64url, toBase64url, toLatin1 } from '../codec/text.ts'
import { bytewise } from '../codec/value.ts'
import { type Budget, COMPARED, UNPACKED, VALUE } from '../codec/work-budget.ts'
import { malformed } from '../errors.ts'

/** Maximum size of an unpacked container, in bytes. */
export const MAX_CONTAINER_LENGTH = 8 << 20
/** The key in the map, with its version. */
const KEY = 'ctn-v1'

const DAMAGED = 'This token is damaged, cut off, or longer than 8 MiB.'

/** A call up to this many bytes isn't compressed. At this size it still fits into the headers that servers allow. */
const SHORT = 4_096

/**
 * Writes different tokens as text: base64url after `C`, or compressed after `P` if that is shorter. Sorted by bytes.
 */
export async function writeContainer(tokens: readonly Uint8Array[]): Promise<string> {
  const plain = plainOf(tokens)
  const packed = await gzip(plain)
  return packed.length < plain.length ? `P${toBase64url(packed)}` : `C${toBase64url(plain)}`
}

/**
 * Writes an invocation with its proofs. A short one isn't compressed: compressing takes longer than signing, and a
 * verifier can't recognize known proofs without unpacking (docs/decisions/058).
 */
export async function writeCall(tokens: readonly Uint8Array[]): Promise<string> {
  const plain = plainOf(tokens)
  return plain.length <= SHORT ? `C${toBase64url(plain)}` : await writeContainer(tokens)
}

function plainOf(tokens: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return encodeCbor({ [KEY]: [...tokens].sort(bytewise) })
}

/** Whether a text or bytes start like a container. */
export function isContainer(header: string): boolean {
  return /^[@BCMOP]$/.test(header)
}

/** The bytes in a text of base64 or base64url, with or without its padding. */
export function unpadded(text: string, isUrl: boolean): Uint8Array<ArrayBuffer> | undefined {
  const letters = text.replace(/={1,2}$/, '')
  return isUrl ? fromBase64url(letters) : fromBase64(letters)
}

/**
 * Reads a container in any of the six encodings: the bytes of each token, without duplicates, in its order.
 * @param header its first letter
 * @param packed the rest: a base64 text, or bytes
 * @throws HolderError MalformedToken, TooMuchWork
 */
export async function readContainer(
  header: string,
  packed: string | Uint8Array<ArrayBuffer>,
  budget: Budget,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const bytes = typeof packed === 'string' ? unpadded(packed, /[CP]/.test(header)) : packed
  const plain = bytes && /[MOP]/.test(header) ? await unpack(bytes, budget) : bytes
  if (!plain || plain.length > MAX_CONTAINER_LENGTH) return malformed(DAMAGED)
  const reader = new CborReader(plain, budget)
  if (reader.expect(5) !== 1n || reader.text(reader.expect(3)) !== KEY) malformed(DAMAGED)
  const tokens = new Map<string, Uint8Array<ArrayBuffer>>()
  for (let left = reader.expect(4); left > 0n; left -= 1n) {
    const token = reader.take(reader.expect(2))
    budget.spend(VALUE + COMPARED * token.length)
    tokens.set(toLatin1(token), token)
  }
  reader.end()
  return [...tokens.values()]
}

async function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  budget: Budget,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // It states its own unpacked length, and can't exceed it.
  const length = unpackedLength(bytes)
  if (length > MAX_CONTAINER_LENGTH) return undefined
  budget.spend(UNPACKED * (length + bytes.length))
  return await gunzip(bytes, length)
}
