import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { type ContextText, metadataContext, openTexts, sealTexts } from '../enclave/sealed-text.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { ACTIVITY_PREFIX, type ActivityLine, entrySchema } from './activity-log.ts'

/** Prefixes of lines kept beside the log, by where they come from. */
const ASIDE = { backup: 'activity-of-backup:', replaced: 'activity-replaced:' } as const
type Source = keyof typeof ASIDE

/** Lines of the account's other devices are metadata with this prefix, the device, the line's number and what tells it apart. */
export const DEVICE_LINE_PREFIX = 'activity-of-device:'

/** An opened line from another copy of the log. */
export interface OpenedLine {
  readonly key: string
  /** The entry as JSON. */
  readonly value: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
}

const lineText = v.pipe(v.string(), v.parseJson(), v.looseObject({ seq: v.number(), entry: entrySchema }))

/** Whether metadata belongs to the log, which is merged line by line instead of by date. */
export function isActivity(key: string): boolean {
  const all = [ACTIVITY_PREFIX, DEVICE_LINE_PREFIX, ...Object.values(ASIDE)]
  return all.some((prefix) => key.startsWith(prefix))
}

/** What a metadata record is sealed to. The plugin seals log lines itself, to their number. */
export function contextOf(key: string): string {
  return key.startsWith(ACTIVITY_PREFIX) ? key : metadataContext(key)
}

/**
 * A backup's log as records to write: the lines that aren't here. If a line differs from ours with the same number,
 * both are kept, and the one that isn't part of the continuing log gets its own key.
 * @param ours the log lines here; none for a new account
 * @param count how many lines the continuing log has, the longer of the two
 */
export async function mergeActivity(
  enclave: Enclave,
  accountAddress: string,
  theirs: readonly OpenedLine[],
  ours: readonly MetadataRecord[],
  count: number,
): Promise<MetadataRecord[]> {
  const opened = await openTexts(
    enclave,
    ours.map(({ key, sealed }) => ({ context: contextOf(key), text: sealed })),
  )
  const here = new Map(ours.map(({ key }, index) => [key, opened[index]]))
  const longest = ours.reduce((most, { key }) => Math.max(most, numberOf(key)), 0)
  const theirsGoesOn = count > longest && theirs.some(({ key }) => numberOf(key) > longest)
  const add: { key: string; text: string; updatedAt: number }[] = []
  for (const { key, value: text, updatedAt } of theirs) {
    const own = here.get(key)
    if (own === text) continue
    if (!key.startsWith(ACTIVITY_PREFIX)) add.push({ key, text, updatedAt })
    else if (theirsGoesOn || (!here.has(key) && numberOf(key) <= count)) {
      if (own !== undefined) add.push({ key: await asideKey('replaced', key, own), text: own, updatedAt })
      add.push({ key, text, updatedAt })
    } else add.push({ key: await asideKey('backup', key, text), text, updatedAt })
  }
  const texts: ContextText[] = add.map(({ key, text }) => ({ context: contextOf(key), text }))
  const sealed = await sealTexts(enclave, texts)
  return add.flatMap(({ key, updatedAt }, index) => {
    const text = sealed[index]
    return text === undefined ? [] : [{ id: key, accountAddress, key, updatedAt, sealed: text }]
  })
}

/** The readable lines beside the log. */
export async function openAside(
  enclave: Enclave,
  records: readonly MetadataRecord[],
): Promise<ActivityLine[]> {
  const aside = records.filter(({ key }) => sourceOf(key) !== undefined)
  const texts = await openTexts(
    enclave,
    aside.map(({ key, sealed }) => ({ context: contextOf(key), text: sealed })),
  )
  return aside.flatMap(({ key }, index) => {
    const parsed = v.safeParse(lineText, texts[index])
    const source = sourceOf(key)
    if (!parsed.success || source === undefined) return []
    return [{ seq: parsed.output.seq, ...parsed.output.entry, source }]
  })
}

/** The number in a line's key; 0 for other metadata. */
function numberOf(key: string): number {
  const seq = key.startsWith(ACTIVITY_PREFIX) ? Number(key.slice(ACTIVITY_PREFIX.length)) : 0
  return Number.isSafeInteger(seq) ? seq : 0
}

function sourceOf(key: string): Source | undefined {
  if (key.startsWith(ASIDE.backup)) return 'backup'
  return key.startsWith(ASIDE.replaced) ? 'replaced' : undefined
}

/** The same line and text always give the same key, so merging a backup twice adds nothing. */
export async function asideKey(source: Source, key: string, text: string): Promise<string> {
  return `${ASIDE[source]}${key.slice(ACTIVITY_PREFIX.length)}:${await shortDigest(text)}`
}

/** Tells lines with the same number apart: 16 hexadecimal digits of the text's SHA-256. */
export async function shortDigest(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest, 0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
