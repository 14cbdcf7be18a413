import * as v from 'valibot'
import { refused, type VaultError } from '../base/errors.ts'
import { metadataRecord, type SessionRecord, sessionRecord, tokenRecord } from '../storage/schema.ts'

/** Version of the contents in a single-text backup. */
const CONTENTS_VERSION = 1
/** Version of the information about the chunks in a backup's head. */
const ABOUT_VERSION = 2

/** A token in a backup: its record, with its label unsealed because the whole file is sealed. */
const backupToken = v.looseObject({
  ...v.omit(tokenRecord, ['sealedLabel']).entries,
  label: v.exactOptional(v.string()),
})
const backupMetadata = v.looseObject({
  ...v.pick(metadataRecord, ['key', 'updatedAt']).entries,
  value: v.string(),
})
const contentsSchema = v.looseObject({
  version: v.number(),
  tokens: v.array(backupToken),
  sessions: v.array(sessionRecord),
  metadata: v.array(backupMetadata),
})
export type BackupToken = v.InferOutput<typeof backupToken>
export type BackupMetadata = v.InferOutput<typeof backupMetadata>

/** A backup's contents besides the keys. Personal texts are unsealed because the whole file is sealed. */
export interface BackupContents {
  readonly tokens: readonly BackupToken[]
  readonly sessions: readonly SessionRecord[]
  readonly metadata: readonly BackupMetadata[]
}

/** The name of a backup file: `keyhole-<address>-<date>.keyhole.json`, the date in UTC. */
export function backupFilename(address: string, now: number): string {
  return `keyhole-${address}-${new Date(now).toISOString().slice(0, 10)}.keyhole.json`
}

/** Part of a backup's contents: one chunk, or everything in a single-text backup. */
export type BackupPart = BackupContents

const partSchema = v.looseObject({
  tokens: v.optional(v.array(backupToken), []),
  sessions: v.optional(v.array(sessionRecord), []),
  metadata: v.optional(v.array(backupMetadata), []),
})

const aboutSchema = v.looseObject({
  version: v.number(),
  tokens: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
/** What a backup's head says about its contents. `tokens`: approximately how many. */
export type BackupAbout = v.InferOutput<typeof aboutSchema>

export function toAbout(tokens: number): BackupAbout {
  return { version: ABOUT_VERSION, tokens }
}

/** @throws VaultError OPERATION_FAILED if a newer version wrote it, or it doesn't parse */
export function parseAbout(about: unknown): BackupAbout {
  const parsed = v.safeParse(aboutSchema, about)
  if (!parsed.success) throw unreadableError(v.summarize(parsed.issues))
  if (parsed.output.version > ABOUT_VERSION) throw newerError()
  return parsed.output
}

/** Parses a chunk of a backup. @throws VaultError OPERATION_FAILED if a record doesn't parse */
export function parsePart(contents: unknown): BackupPart {
  const parsed = v.safeParse(partSchema, contents)
  if (parsed.success) return parsed.output
  throw unreadableError(v.summarize(parsed.issues))
}

function unreadableError(reason: string): VaultError {
  return refused('BackupUnreadable', {}, { details: { reason } })
}

function newerError(): VaultError {
  return refused('BackupNewer')
}

/**
 * Parses a backup's contents completely, before any of them are used.
 * @throws VaultError OPERATION_FAILED: a newer version wrote it, or a record doesn't parse
 */
export function parseContents(contents: unknown): BackupContents {
  const parsed = v.safeParse(contentsSchema, contents)
  if (!parsed.success) throw unreadableError(v.summarize(parsed.issues))
  if (parsed.output.version > CONTENTS_VERSION) throw newerError()
  return parsed.output
}
