import type { Enclave, EnclaveAnswer } from '@keyhole/enclave'
import * as v from 'valibot'
import { callPlugin } from '../enclave/plugin.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { ACTIVITY_PREFIX, type Activity, type ActivityLine, entrySchema, seqOf } from './activity-log.ts'
import { DEVICE_LINE_PREFIX, openAside } from './activity-merge.ts'

/** Lines read per call of the plugin. A lock has to wait for the call, and three megabytes take a tenth of a second. */
const BATCH = 1_000

type Read = Pick<EnclaveAnswer<'read_activity'>, 'lines' | 'count'>

interface StoredLine {
  readonly seq: number
  readonly sealed: string
}

/**
 * Reads and checks the log. The caller holds the account's write lock. @throws VaultError OPERATION_FAILED, the
 * plugin's code in `details`
 */
export async function readActivity(enclave: Enclave, storage: OpenStorage): Promise<Activity> {
  const stored = await storedLines(storage)
  const { lines, count } = await readLines(enclave, stored)
  const beside = await storage.readMetadataUnder('activity-')
  const aside = await openAside(enclave, beside)
  const own = [...lines.flatMap(toLine), ...aside].sort((one, other) => one.seq - other.seq)
  return {
    lines: await withDeviceLines(enclave, own, beside),
    missing: gaps(stored, count),
    rewritten: lines.filter(({ sound }) => !sound).map(({ seq }) => seq),
  }
}

/** With what other devices have written; most accounts have none. @param beside metadata that lies beside the log */
async function withDeviceLines(
  enclave: Enclave,
  own: ActivityLine[],
  beside: readonly MetadataRecord[],
): Promise<ActivityLine[]> {
  if (!beside.some(({ key }) => key.startsWith(DEVICE_LINE_PREFIX))) return own
  const { amongOwn, openDeviceLines } = await import('./device-lines.ts')
  return amongOwn(own, await openDeviceLines(enclave, beside))
}

/** The lines after one, and whether any of them is missing or rewritten, or the log doesn't even get there. */
export async function linesAfter(
  enclave: Enclave,
  storage: OpenStorage,
  seq: number,
): Promise<{ lines: ActivityLine[]; gap: boolean }> {
  const stored = (await storedLines(storage)).filter((line) => line.seq > seq)
  const { lines, count } = await readLines(enclave, stored)
  const gap = seq > count || lines.length < count - seq || lines.some(({ sound }) => !sound)
  return { lines: lines.flatMap(toLine), gap }
}

/** How many lines the account's log has. */
export async function countLines(enclave: Enclave): Promise<number> {
  return (await readBatch(enclave, [])).count
}

async function readLines(enclave: Enclave, stored: readonly StoredLine[]): Promise<Read> {
  const all = new Map<number, Read['lines'][number]>()
  let { count } = await readBatch(enclave, stored.slice(0, 0))
  for (let start = 0; start < stored.length; start += BATCH) {
    // Includes the first line of the next batch, because each line confirms the one before it.
    const read = await readBatch(enclave, stored.slice(start, start + BATCH + 1))
    count = read.count
    for (const line of read.lines) all.set(line.seq, line)
  }
  return { lines: [...all.values()], count }
}

async function readBatch(enclave: Enclave, records: readonly StoredLine[]): Promise<Read> {
  return await callPlugin(enclave, 'read_activity', { records }, 'Failed to read the activity')
}

async function storedLines(storage: OpenStorage): Promise<StoredLine[]> {
  const records = await storage.readMetadataUnder(ACTIVITY_PREFIX)
  return records
    .flatMap(({ key, sealed }) => {
      const seq = seqOf(key)
      return seq === undefined ? [] : [{ seq, sealed }]
    })
    .sort((one, other) => one.seq - other.seq)
}

function toLine({ seq, entry }: Read['lines'][number]): ActivityLine[] {
  const parsed = v.safeParse(entrySchema, entry)
  return parsed.success ? [{ seq, ...parsed.output }] : []
}

/** Ranges of numbers up to `count` without a stored line. */
function gaps(stored: readonly StoredLine[], count: number): [number, number][] {
  const missing: [number, number][] = []
  let expected = 1
  for (const { seq } of [...stored, { seq: count + 1 }]) {
    const next = Math.min(seq, count + 1)
    if (next > expected) missing.push([expected, next - 1])
    expected = Math.max(expected, next + 1)
  }
  return missing
}
