import * as v from 'valibot'
import { isActivity } from './activity-merge.ts'
import { VaultError } from './errors.ts'
import { metadataRecord, type SessionRecord, sessionRecord, type TokenRecord, tokenRecord } from './schema.ts'

/** The version of what a backup holds beside the keys. */
const CONTENTS_VERSION = 1

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

export function toContents(contents: BackupContents): unknown {
  return { version: CONTENTS_VERSION, ...contents }
}

/**
 * Parses what a backup holds, all of it, before any of it is used.
 *
 * @throws VaultError OPERATION_FAILED: written by a newer version, or a record that does not parse
 */
export function parseContents(contents: unknown): BackupContents {
  const parsed = v.safeParse(contentsSchema, contents)
  if (!parsed.success) {
    const reason = v.summarize(parsed.issues)
    throw new VaultError(
      'OPERATION_FAILED',
      'This backup holds records that cannot be read. Nothing was imported.',
      {
        reason,
      },
    )
  }
  if (parsed.output.version > CONTENTS_VERSION) {
    throw new VaultError(
      'OPERATION_FAILED',
      'This backup was made by a newer version of Keyhole. Update this one, then import it.',
    )
  }
  return parsed.output
}

/**
 * The tokens of a backup that are not here yet, by CID, each under an id that is free here. What is here stays as
 * it is, so that neither side loses anything.
 */
export function tokensToAdd(theirs: readonly BackupToken[], ours: readonly TokenRecord[]): BackupToken[] {
  const ids = new Set(ours.map(({ id }) => id))
  const known = new Set(ours.map((token) => token.cid ?? token.token))
  const added: BackupToken[] = []
  for (const token of theirs) {
    const key = token.cid ?? token.token
    if (known.has(key)) continue
    known.add(key)
    const id = ids.has(token.id) ? crypto.randomUUID() : token.id
    ids.add(id)
    added.push({ ...token, id })
  }
  return added
}

/** The metadata of a backup that is newer than what is here, or not here; without the log, which is merged line by line. */
export function metadataToAdd(
  theirs: readonly BackupMetadata[],
  ours: ReadonlyMap<string, number>,
): BackupMetadata[] {
  return theirs.filter(
    ({ key, updatedAt }) => !isActivity(key) && updatedAt > (ours.get(key) ?? Number.NEGATIVE_INFINITY),
  )
}
