// What a journal of claims consists of: blocks, each written at once. A block that was cut, by a kill or a full disk, is
// skipped.
import { createHash } from 'node:crypto'

/** Bytes of an invocation's digest. */
export const DIGEST = 16
/** At the start of each block. */
const MAGIC = Buffer.from('KHclaim1', 'latin1')
/** Where the parts of a block's head are. */
const CHECKSUM = 8
const WRITER = 16
const SEQUENCE = 24
const COUNT = 28
const DELETED_UNTIL = 32
const KIND = 40
const HEAD = 48
/** Bytes of a claim: its digest, and its end. */
const EACH = DIGEST + 8
/** Most claims in a block. */
export const MOST_CLAIMS = 2_048
const LAST = 1

/** Claims that one store made together. */
export interface ClaimBlock {
  /** Identifies the store that wrote it, and this block among all of the store's. */
  readonly id: bigint
  readonly sequence: number
  /** Whether nothing after this block counts: the journal goes on in the next file. */
  readonly isLast: boolean
  /** Claims that ended until then may have been deleted. Seconds since 1970. */
  readonly deletedUntil: number
  /** Digests of the claimed invocations, one after another. */
  readonly digests: Buffer
  /** The end of each. */
  readonly ends: readonly number[]
}

/** The digest of an invocation's CID. */
export function digestOf(cid: string): Buffer {
  return createHash('sha256').update(cid).digest().subarray(0, DIGEST)
}

/** Writes a block. */
export function encodeBlock({ id, sequence, isLast, deletedUntil, digests, ends }: ClaimBlock): Buffer {
  const bytes = Buffer.alloc(HEAD + ends.length * EACH)
  MAGIC.copy(bytes)
  bytes.writeBigUInt64LE(id, WRITER)
  bytes.writeUInt32LE(sequence, SEQUENCE)
  bytes.writeUInt32LE(ends.length, COUNT)
  bytes.writeDoubleLE(deletedUntil, DELETED_UNTIL)
  bytes.writeUInt32LE(isLast ? LAST : 0, KIND)
  for (const [at, end] of ends.entries()) {
    const place = HEAD + at * EACH
    digests.copy(bytes, place, at * DIGEST, (at + 1) * DIGEST)
    bytes.writeDoubleLE(end, place + DIGEST)
  }
  checksumOf(bytes).copy(bytes, CHECKSUM)
  return bytes
}

/** A block, and where it ends. */
export interface FoundBlock extends ClaimBlock {
  readonly after: number
}

/** The blocks in these bytes, in order. What is no whole block is skipped. */
export function* blocksIn(bytes: Buffer): Generator<FoundBlock> {
  for (let at = bytes.indexOf(MAGIC); at >= 0; ) {
    const block = blockAt(bytes, at)
    if (block) yield block
    const next = block?.after ?? at + 1
    at = next < bytes.length ? bytes.indexOf(MAGIC, next) : -1
  }
}

function blockAt(bytes: Buffer, at: number): FoundBlock | undefined {
  if (at + HEAD > bytes.length) return undefined
  const count = bytes.readUInt32LE(at + COUNT)
  const after = at + HEAD + count * EACH
  if (count > MOST_CLAIMS || after > bytes.length) return undefined
  const own = bytes.subarray(at, after)
  if (checksumOf(own).compare(own, CHECKSUM, WRITER) !== 0) return undefined
  const digests = Buffer.alloc(count * DIGEST)
  const ends: number[] = []
  for (let place = HEAD; place < own.length; place += EACH) {
    own.copy(digests, ends.length * DIGEST, place, place + DIGEST)
    ends.push(own.readDoubleLE(place + DIGEST))
  }
  return {
    id: own.readBigUInt64LE(WRITER),
    sequence: own.readUInt32LE(SEQUENCE),
    isLast: own.readUInt32LE(KIND) === LAST,
    deletedUntil: own.readDoubleLE(DELETED_UNTIL),
    digests,
    ends,
    after,
  }
}

function checksumOf(block: Buffer): Buffer {
  const hash = createHash('sha256').update(block.subarray(WRITER))
  return hash.digest().subarray(0, WRITER - CHECKSUM)
}
