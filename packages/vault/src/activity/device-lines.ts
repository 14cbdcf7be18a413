// Lines that the account's other devices have written. Nothing here proves them: each device checks its own log.
import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import type { LineDevice } from '../base/act.ts'
import { metadataContext, openTexts } from '../enclave/sealed-text.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { type ActivityLine, entrySchema } from './activity-log.ts'
import { DEVICE_LINE_PREFIX, shortDigest } from './activity-merge.ts'

/** What other devices are called: sealed metadata with this prefix and the device. It goes into backups with their lines. */
export const DEVICE_NAME_PREFIX = 'activity-device:'

/** The longest text of a line. An entry has at most 2 KiB. */
const LONGEST_LINE = 4_096

/** A line's id: its device, its number, and what tells it apart from another one with this number. */
const LINE_ID = /^([\w-]{43}):([1-9]\d{0,15}):([0-9a-f]{16})$/

const lineText = v.pipe(
  v.string(),
  v.maxLength(LONGEST_LINE),
  v.parseJson(),
  v.object({
    seq: v.number(),
    // Whatever another device says, a page can show it.
    entry: v.object({
      ...entrySchema.entries,
      tab: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)),
      act: v.pipe(v.string(), v.regex(/^[A-Za-z]{1,40}$/)),
      outcome: v.pipe(v.string(), v.regex(/^\w{1,40}$/)),
    }),
  }),
)

/** A line's id, read. */
export interface LineId {
  readonly device: string
  readonly seq: number
  readonly digest: string
}

/** Undefined for what isn't the id of a line. */
export function parseLineId(id: string): LineId | undefined {
  const [, device, seq, digest] = LINE_ID.exec(id) ?? []
  if (device === undefined || digest === undefined || !Number.isSafeInteger(Number(seq))) return undefined
  return { device, seq: Number(seq), digest }
}

/** A line as devices exchange it. */
export interface SharedLine {
  readonly id: string
  readonly text: string
}

/**
 * A line of this device's log for the other ones; undefined if it doesn't open as one.
 * @param opened the line as it was sealed
 */
export async function sharedLine(
  device: string,
  seq: number,
  opened: string | undefined,
): Promise<SharedLine | undefined> {
  // The rest of it only means something to this device's log.
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), v.looseObject({ entry: entrySchema })), opened)
  if (!parsed.success) return undefined
  const text = JSON.stringify({ seq, entry: parsed.output.entry })
  return v.is(lineText, text) ? { id: `${device}:${seq}:${await shortDigest(text)}`, text } : undefined
}

/** What the account's other devices are called, as far as this one knows. @throws VaultError */
export async function deviceNames(
  enclave: Enclave,
  storage: Pick<OpenStorage, 'readMetadataUnder'>,
): Promise<ReadonlyMap<string, string>> {
  const names = await storage.readMetadataUnder(DEVICE_NAME_PREFIX)
  const texts = await openTexts(enclave, names.map(sealedText))
  return new Map(
    names.flatMap(({ key }, index) => {
      const name = texts[index]
      return name === undefined ? [] : [[key.slice(DEVICE_NAME_PREFIX.length), name] as const]
    }),
  )
}

/** Whether a text is that of the line with this id, and can be shown. */
export async function isLine({ seq, digest }: LineId, text: string): Promise<boolean> {
  const parsed = v.safeParse(lineText, text)
  return parsed.success && parsed.output.seq === seq && (await shortDigest(text)) === digest
}

/** A line, and the time by which it's shown among others. */
export interface DeviceLine {
  readonly line: ActivityLine & { readonly device: LineDevice }
  /** Not after it came here: another device's clock may be ahead. */
  readonly at: number
}

/** The readable lines of other devices. @param records metadata of the log */
export async function openDeviceLines(
  enclave: Enclave,
  records: readonly MetadataRecord[],
): Promise<DeviceLine[]> {
  const under = (prefix: string) => records.filter(({ key }) => key.startsWith(prefix))
  const [lines, names] = [under(DEVICE_LINE_PREFIX), under(DEVICE_NAME_PREFIX)]
  if (lines.length === 0) return []
  const texts = await openTexts(enclave, [...lines, ...names].map(sealedText))
  const nameOf = new Map(
    names.map(({ key }, index) => [key.slice(DEVICE_NAME_PREFIX.length), texts[lines.length + index]]),
  )
  return lines.flatMap(({ key, updatedAt }, index) => {
    const id = parseLineId(key.slice(DEVICE_LINE_PREFIX.length))
    const parsed = v.safeParse(lineText, texts[index])
    if (!id || !parsed.success) return []
    const { seq, entry } = parsed.output
    const name = nameOf.get(id.device)
    const device = { id: id.device, ...(name !== undefined && { name }) }
    return [{ line: { seq, ...entry, device }, at: Math.min(entry.at, updatedAt) }]
  })
}

/**
 * Puts lines of other devices between this one's, which stay in their order, each once. This device's own lines come
 * back from others if an older copy of its storage was put back.
 */
export function amongOwn(own: readonly ActivityLine[], others: readonly DeviceLine[]): ActivityLine[] {
  if (others.length === 0) return [...own]
  const contentOf = ({ device: _, ...line }: ActivityLine) => JSON.stringify(line)
  const here = new Set(own.map(contentOf))
  const sorted = others
    .filter(({ line }) => !here.has(contentOf(line)))
    .sort((one, other) => one.at - other.at || one.line.at - other.line.at || one.line.seq - other.line.seq)
  const all: ActivityLine[] = []
  let next = 0
  for (const line of own) {
    for (let each = sorted[next]; each && each.at < line.at; each = sorted[next]) {
      all.push(each.line)
      next += 1
    }
    all.push(line)
  }
  return [...all, ...sorted.slice(next).map(({ line }) => line)]
}

function sealedText({ key, sealed }: MetadataRecord) {
  return { context: metadataContext(key), text: sealed }
}
