// Lines of this device's log, for the other devices. They are counted, not marked: a log only grows.

import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { ACTIVITY_PREFIX } from '../../activity/activity-log.ts'
import { countLines } from '../../activity/activity-reader.ts'
import { type SharedLine, sharedLine } from '../../activity/device-lines.ts'
import { openTexts } from '../../enclave/sealed-text.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import { DEVICE_PREFIX } from '../../storage/devices/device-marks.ts'
import { type MetadataRecord, metadataRecord } from '../../storage/schema.ts'
import { findStored } from '../find-stored.ts'
import type { Thing } from '../things.ts'

/** Says up to which line this device's log was written as operations. */
const WRITTEN = `${DEVICE_PREFIX}lines`

/** Lines that are written at once. */
const AT_ONCE = 1_000

const written = v.looseObject({
  ...metadataRecord.entries,
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** The id of that line. */
  line: v.string(),
})

export interface LinesParts {
  readonly enclave: Enclave
  readonly storage: OpenStorage
  readonly now: () => number
}

/** Lines to write as operations. */
export interface LinesToWrite {
  readonly things: readonly Thing[]
  /** Stored with the operations. */
  readonly record: MetadataRecord
  /** Whether there are more. */
  readonly isMore: boolean
}

/** The last line that was written as an operation, by its number; 0 before the first one. */
export async function lastWritten(storage: Pick<OpenStorage, 'readMetadataOf'>): Promise<number> {
  return (await readWritten(storage)).seq
}

async function readWritten(
  storage: Pick<OpenStorage, 'readMetadataOf'>,
): Promise<{ readonly seq: number; readonly line: string }> {
  const parsed = v.safeParse(written, await storage.readMetadataOf(WRITTEN))
  return parsed.success ? parsed.output : { seq: 0, line: '' }
}

/**
 * The lines of this device's log that are yet to be written, oldest first.
 * @param device this one
 * @param most how many of them
 * @returns undefined if there is none
 * @throws VaultError
 */
export async function linesToWrite(
  parts: LinesParts,
  device: string,
  most: number,
): Promise<LinesToWrite | undefined> {
  const { enclave, storage, now } = parts
  const count = await countLines(enclave)
  const before = await readWritten(storage)
  if (before.seq === count || most <= 0) return undefined
  const lines = await linesAfter(parts, device, before, count, Math.min(most, AT_ONCE))
  // A line that the enclave has counted may be stored in a moment: so not all up to `to`, but all up to the last one.
  const last = lines.at(-1)
  if (last === undefined) return undefined
  const record = {
    ...{ id: WRITTEN, accountAddress: storage.address, key: WRITTEN, updatedAt: now(), sealed: '-' },
    ...{ seq: last.seq, line: last.line?.id ?? '' },
  }
  const things = lines.flatMap(({ line }): Thing[] =>
    line ? [{ kind: 'line', id: line.id, value: line.text }] : [],
  )
  return { things, record, isMore: last.seq < count }
}

/** Lines that are stored and yet to be written, up to as many as are written at once. @throws VaultError */
export async function unwrittenLines({ enclave, storage }: LinesParts): Promise<number> {
  const count = await countLines(enclave)
  const { seq } = await readWritten(storage)
  if (seq >= count) return 0
  const found = await readRecords(storage, seq, Math.min(count, seq + AT_ONCE))
  return found.length
}

/**
 * So many stored lines after the one that was written last. Another log may have replaced this one, by a backup that went on from an earlier
 * line of it: then the first ones.
 */
async function linesAfter(
  parts: LinesParts,
  device: string,
  { seq, line }: { readonly seq: number; readonly line: string },
  count: number,
  most: number,
): Promise<readonly ReadLine[]> {
  const first = async () => await readLines(parts, device, 0, Math.min(count, most))
  if (seq === 0 || seq > count) return await first()
  // The line that was written last is read with those that follow.
  const lines = await readLines(parts, device, seq - 1, Math.min(count, seq + most))
  const last = lines.find((each) => each.seq === seq)?.line
  if (line !== '' && last !== undefined && last.id !== line) return await first()
  return lines.filter((each) => each.seq > seq)
}

interface ReadLine {
  readonly seq: number
  /** Undefined if it doesn't open. */
  readonly line: SharedLine | undefined
}

/** The stored lines after `from`, up to `to`. */
async function readLines(
  { enclave, storage }: LinesParts,
  device: string,
  from: number,
  to: number,
): Promise<ReadLine[]> {
  const found = await readRecords(storage, from, to)
  const texts = await openTexts(
    enclave,
    found.map(({ record }) => ({ context: record.key, text: record.sealed })),
  )
  return await Promise.all(
    found.map(async ({ seq }, index) => ({ seq, line: await sharedLine(device, seq, texts[index]) })),
  )
}

async function readRecords(
  storage: OpenStorage,
  from: number,
  to: number,
): Promise<{ readonly seq: number; readonly record: MetadataRecord }[]> {
  const seqs = Array.from({ length: to - from }, (_, index) => from + index + 1)
  const { metadata } = await findStored(storage, { metadata: seqs.map((seq) => ACTIVITY_PREFIX + seq) })
  return seqs.flatMap((seq, index) => {
    const parsed = v.safeParse(metadataRecord, metadata[index])
    return parsed.success ? [{ seq, record: parsed.output }] : []
  })
}
