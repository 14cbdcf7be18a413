// Lines of other devices' logs, kept beside this one's.

import { ACTIVITY_PREFIX } from '../../activity/activity-log.ts'
import { DEVICE_LINE_PREFIX } from '../../activity/activity-merge.ts'
import { isLine, type LineId, parseLineId, sharedLine } from '../../activity/device-lines.ts'
import { metadataContext, openTexts, sealTexts } from '../../enclave/sealed-text.ts'
import type { OpenStorage } from '../../storage/account/account-storage.ts'
import type { MetadataRecord } from '../../storage/schema.ts'
import type { ReadThing } from '../device-calls.ts'
import { findStored } from '../find-stored.ts'
import { type Incoming, type News, newThings } from '../incoming.ts'

/** Lines that are sealed and stored at once. */
const AT_ONCE = 500

/** This device, whose lines are in its own log. */
export interface OwnLog {
  readonly device: string
  /** Lines up to this number are here: this storage wrote them as operations. */
  readonly through: number
}

interface NewLine {
  readonly key: string
  readonly id: LineId
  readonly thing: ReadThing
}

/**
 * Stores the lines that are new here, sealed. What isn't a line, or is one that no page could show, stays in the devices'
 * records. If it's stopped halfway, the next time does the rest.
 * @param news what to look at
 * @returns whether there was any
 * @throws VaultError
 */
export async function takeInLines(parts: Incoming, news: News, own: OwnLog): Promise<boolean> {
  let isNew = false
  for await (const things of newThings(parts, 'line', news)) {
    const lines = things.flatMap((thing): NewLine[] => {
      const id = parseLineId(thing.id)
      if (!id || (id.device === own.device && id.seq <= own.through)) return []
      return [{ key: DEVICE_LINE_PREFIX + thing.id, id, thing }]
    })
    for (let at = 0; at < lines.length; at += AT_ONCE) {
      if (parts.isStopped()) return isNew
      isNew = (await store(parts, lines.slice(at, at + AT_ONCE), own.device)) || isNew
    }
  }
  return isNew
}

async function store(parts: Incoming, lines: readonly NewLine[], device: string): Promise<boolean> {
  const { enclave, storage, now } = parts
  const stored = await find(
    storage,
    lines.map(({ key }) => key),
  )
  const absent = lines.filter((_, index) => stored[index] === undefined)
  const isOurs = await ownLines(parts, absent, device)
  const texts = await Promise.all(absent.map((line) => (isOurs(line) ? undefined : textOf(line))))
  const wanted = absent.flatMap(({ key }, index) => {
    const text = texts[index]
    return text === undefined ? [] : [{ key, text }]
  })
  if (wanted.length === 0) return false
  const sealed = await sealTexts(
    enclave,
    wanted.map(({ key, text }) => ({ context: metadataContext(key), text })),
  )
  const [accountAddress, updatedAt] = [storage.address, now()]
  const metadata = wanted.flatMap(({ key }, index): MetadataRecord[] => {
    const text = sealed[index]
    return text === undefined ? [] : [{ id: key, accountAddress, key, updatedAt, sealed: text }]
  })
  await storage.exchange({}, () => ({ metadata }))
  return metadata.length > 0
}

/**
 * The value that is the line with this id. If two devices have written one id, that is at most one of both: a device
 * writes lines of its own log alone.
 */
async function textOf({ id, thing }: NewLine): Promise<string | undefined> {
  const { value, author, older, older_author: olderAuthor } = thing
  for (const [text, by] of [[value, author] as const, [older, olderAuthor] as const]) {
    if (text !== null && by === id.device && (await isLine(id, text))) return text
  }
  return undefined
}

/** Tells which lines are in this device's log. If an older copy of its storage was put back, some are not. */
async function ownLines(
  { enclave, storage }: Incoming,
  lines: readonly NewLine[],
  device: string,
): Promise<(line: NewLine) => boolean> {
  const own = lines.filter(({ id }) => id.device === device)
  if (own.length === 0) return () => false
  const keys = own.map(({ id }) => ACTIVITY_PREFIX + id.seq)
  const found = await find(storage, keys)
  const texts = await openTexts(
    enclave,
    keys.map((key, index) => ({ context: key, text: found[index]?.sealed ?? '' })),
  )
  const here = await Promise.all(own.map(({ id }, index) => sharedLine(device, id.seq, texts[index])))
  const ids = new Set(here.map((line) => line?.id))
  return ({ thing }) => ids.has(thing.id)
}

async function find(
  storage: OpenStorage,
  keys: readonly string[],
): Promise<readonly ({ readonly sealed: string } | undefined)[]> {
  if (keys.length === 0) return []
  const { metadata } = await findStored(storage, { metadata: keys })
  return metadata.map((record) =>
    record === undefined ? undefined : { sealed: String(Object(record).sealed) },
  )
}
