import * as v from 'valibot'
import { refused, type VaultError } from '../base/errors.ts'
import { metadataRecord, type SessionRecord, sessionRecord, tokenRecord } from '../storage/schema.ts'

/** The version of what a backup of one text holds beside the keys. */
const CONTENTS_VERSION = 1
/** The version of what the head of a backup says of the chunks that follow it. */
const ABOUT_VERSION = 2

/** A token in a backup: its record, with the label in the clear (the whole file is sealed). */
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

/** What a backup holds beside the keys: personal texts in the clear, since the file is sealed as a whole. */
export interface BackupContents {
  readonly tokens: readonly BackupToken[]
  readonly sessions: readonly SessionRecord[]
  readonly metadata: readonly BackupMetadata[]
}

/** The name of a backup file: `keyhole-<address>-<date>.keyhole.json`, the date in UTC. */
export function backupFilename(address: string, now: number): string {
  return `keyhole-${address}-${new Date(now).toISOString().slice(0, 10)}.keyhole.json`
}

/** A part of what a backup holds: a chunk of it, or all of a backup that is one text. */
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
/** What the head of a backup says of what follows it. `tokens`: about how many there are. */
export type BackupAbout = v.InferOutput<typeof aboutSchema>

export function toAbout(tokens: number): BackupAbout {
  return { version: ABOUT_VERSION, tokens }
}

/** @throws VaultError OPERATION_FAILED where a newer version wrote it, or it does not parse */
export function parseAbout(about: unknown): BackupAbout {
  const parsed = v.safeParse(aboutSchema, about)
  if (!parsed.success) throw unreadableError(v.summarize(parsed.issues))
  if (parsed.output.version > ABOUT_VERSION) throw newerError()
  return parsed.output
}

/** Parses a chunk of a backup. @throws VaultError OPERATION_FAILED: a record that does not parse */
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
 * Parses what a backup holds, all of it, before any of it is used.
 *
 * @throws VaultError OPERATION_FAILED: written by a newer version, or a record that does not parse
 */
export function parseContents(contents: unknown): BackupContents {
  const parsed = v.safeParse(contentsSchema, contents)
  if (!parsed.success) throw unreadableError(v.summarize(parsed.issues))
  if (parsed.output.version > CONTENTS_VERSION) throw newerError()
  return parsed.output
}
