import type { Enclave } from '@keyhole/enclave'
import { isActivity, mergeActivity } from '../activity/activity-merge.ts'
import { countLines } from '../activity/activity-reader.ts'
import { metadataContext, sealTexts, tokenLabelContext } from '../enclave/sealed-text.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import { DEVICE_LINK } from '../storage/devices/device-marks.ts'
import { ENDED_PREFIX, parseEnded } from '../storage/expiry.ts'
import type { MetadataRecord, SessionRecord, TokenRecord } from '../storage/schema.ts'
import { openRevoked } from '../tokens/lasting-tokens.ts'
import type { BackupMetadata, BackupPart, BackupToken } from './backup-file.ts'
import { type BackupWork, progressOf } from './backup-work.ts'
import type { OpenedBackup } from './opened-backup.ts'

/** Up to this many tokens are written in one transaction with the keys. */
const WRITTEN_WITH_KEYS = 4_000
/** Of more tokens, this many are written at a time beforehand: about one chunk, so that progress can be reported. */
const WRITTEN_AT_ONCE = 150

/** The tokens in this account: their ids and their keys for comparison. */
export interface KnownTokens {
  readonly ids: Set<string>
  readonly keys: Set<string>
}

/** The key by which tokens are compared, in a backup and here. */
export function tokenKey({ cid, token }: Pick<TokenRecord, 'cid' | 'token'>): string {
  return cid ?? token
}

/**
 * The tokens of a backup part that aren't here yet, by CID, each with an id that is free here; they are added to the
 * known tokens. Existing tokens stay as they are, so neither side loses anything.
 */
export function tokensToAdd(theirs: readonly BackupToken[], { ids, keys }: KnownTokens): BackupToken[] {
  const added: BackupToken[] = []
  for (const token of theirs) {
    const key = tokenKey(token)
    if (keys.has(key)) continue
    keys.add(key)
    const id = ids.has(token.id) ? crypto.randomUUID() : token.id
    ids.add(id)
    added.push(id === token.id ? token : { ...token, id })
  }
  return added
}

/** Metadata of a backup that is missing or older here. Excludes the log, which is merged line by line. */
export function metadataToAdd(
  theirs: readonly BackupMetadata[],
  ours: ReadonlyMap<string, number>,
): BackupMetadata[] {
  return theirs.filter(
    ({ key, updatedAt }) => !isActivity(key) && updatedAt > (ours.get(key) ?? Number.NEGATIVE_INFINITY),
  )
}

/** The parts of an account's storage that an import uses. */
export type ImportStorage = Pick<
  OpenStorage,
  'tokenPages' | 'metadataPages' | 'readMetadata' | 'readMetadataOf' | 'readSessions' | 'writeBatch'
>

/** What an import adds. */
export interface Merged {
  /** Number of added tokens, including those in `batch`. */
  readonly tokens: number
  /** What remains to be written, together with the state. */
  readonly batch: StateBatch
  /** The journal that has the tokens; undefined if they are in the database or in `batch`. */
  readonly journal?: string | undefined
}

/**
 * Prepares the records of a verified backup for writing. If there are many, most are written along the way and their
 * ids added to `undo`; the caller deletes those if the import stops before the state is written. An account on several
 * devices writes all at once: others may have a token by the time it would be deleted, and would delete theirs.
 * @param storage the account's; undefined without persistence
 * @param isNew whether the account is empty, so that there is nothing to merge with
 */
export async function mergeBackup(
  enclave: Enclave,
  backup: OpenedBackup,
  storage: ImportStorage | undefined,
  { isNew, work, progress, undo }: MergeOptions,
): Promise<Merged> {
  const { address } = backup
  const known =
    storage && !isNew ? await knownTokens(storage) : { ids: new Set<string>(), keys: new Set<string>() }
  const ourSessions = new Set(isNew ? [] : (await storage?.readSessions())?.map(({ id }) => id))
  const isShared = !isNew && (await storage?.readMetadataOf(DEVICE_LINK)) !== undefined
  const count = await countLines(enclave)
  let tokens: TokenRecord[] = []
  let sessions: SessionRecord[] = []
  let metadata: MetadataRecord[] = []
  let theirs: BackupMetadata[] = []
  let added = 0
  for await (const part of backup.parts()) {
    work.signal?.throwIfAborted()
    const more = await sealLabels(enclave, tokensToAdd(part.tokens, known))
    added += more.length
    tokens.push(...more)
    sessions = [...sessions, ...part.sessions.filter(({ id }) => !ourSessions.has(id))]
    theirs = [...theirs, ...part.metadata]
    if (isNew) {
      metadata = [...metadata, ...(await sealMetadataOf(enclave, address, theirs, [], count))]
      theirs = []
    }
    const most = undo.length > 0 || backup.total > WRITTEN_WITH_KEYS ? WRITTEN_AT_ONCE : WRITTEN_WITH_KEYS
    if (storage && !isShared && tokens.length + metadata.length >= most) {
      undo.push(...tokens.map(({ id }) => id))
      await storage.writeBatch({ tokens, metadata }, 'importing the backup')
      tokens = []
      metadata = []
    }
    progress(part.tokens.length)
  }
  if (!isNew) {
    const ours = (await storage?.readMetadata()) ?? []
    metadata = await sealMetadataOf(enclave, address, theirs, ours, count)
    // A session that has ended since doesn't come back: its grant is revoked.
    const revoked = await openRevoked(enclave, [...ours, ...metadata])
    sessions = sessions.filter(({ cid }) => cid === undefined || !revoked.has(cid))
  }
  work.signal?.throwIfAborted()
  return { tokens: added, batch: { tokens, sessions, metadata } }
}

/**
 * Checks a backup, makes its account, which is new to this browser, and prepares its records for writing. Many tokens
 * go into a journal while they are checked, in one pass. It takes them ten times as fast as the database, and nothing
 * can read it before all of the file was checked. The database follows. 087, 095
 * @param make makes the account in the enclave, once the whole file is checked
 */
export async function fillAccount(
  enclave: Enclave,
  backup: OpenedBackup,
  storage: ImportStorage | undefined,
  work: BackupWork,
  make: () => Promise<void>,
): Promise<Merged> {
  const staged =
    storage && backup.total > WRITTEN_WITH_KEYS
      ? await (await import('../storage/mirror/load-bulk.ts')).StagedRecords.begin(backup.address)
      : undefined
  const progress = progressOf(backup, work, staged ? 1 : 2)
  if (!staged) {
    await backup.verify(work.signal, progress)
    await make()
    return await mergeBackup(enclave, backup, storage, { isNew: true, work, progress, undo: [] })
  }
  const known = { ids: new Set<string>(), keys: new Set<string>() }
  const seal = (part: BackupPart) => sealLabels(enclave, tokensToAdd(part.tokens, known))
  const sessions: SessionRecord[] = []
  const theirs: BackupMetadata[] = []
  let metadata: MetadataRecord[] = []
  let tokens = 0
  const portions = async function* (): AsyncGenerator<StateBatch> {
    for await (const { part, made } of backup.checked(work.signal, seal)) {
      work.signal?.throwIfAborted()
      tokens += made.length
      sessions.push(...part.sessions)
      theirs.push(...part.metadata)
      yield { tokens: made }
      progress(part.tokens.length)
    }
    await make()
    metadata = await sealMetadataOf(enclave, backup.address, theirs, [], await countLines(enclave))
    work.signal?.throwIfAborted()
    yield { sessions, metadata }
  }
  await staged.write(portions())
  return { tokens, batch: { sessions, metadata }, journal: staged.journal }
}

export interface MergeOptions {
  readonly isNew: boolean
  readonly work: BackupWork
  readonly progress: (more: number) => void
  /** Receives the ids of tokens that were written. */
  readonly undo: string[]
}

async function knownTokens(storage: ImportStorage): Promise<KnownTokens> {
  const known = { ids: new Set<string>(), keys: new Set<string>() }
  const add = (token: TokenRecord) => {
    known.ids.add(token.id)
    known.keys.add(tokenKey(token))
  }
  for await (const page of storage.tokenPages()) page.forEach(add)
  for await (const page of storage.metadataPages()) {
    for (const record of page) {
      const ended = record.key.startsWith(ENDED_PREFIX) ? parseEnded(record) : undefined
      if (ended?.store === 'tokens') add(ended.record)
    }
  }
  return known
}

/** A backup's metadata as records to write: what is newer than ours, and the log merged line by line. */
async function sealMetadataOf(
  enclave: Enclave,
  address: string,
  theirs: readonly BackupMetadata[],
  ours: readonly MetadataRecord[],
  count: number,
): Promise<MetadataRecord[]> {
  const newer = metadataToAdd(theirs, new Map(ours.map(({ key, updatedAt }) => [key, updatedAt])))
  const sealed = await sealTexts(
    enclave,
    newer.map(({ key, value }) => ({ context: metadataContext(key), text: value })),
  )
  const metadata = newer.flatMap(({ key, updatedAt }, index) => {
    const text = sealed[index]
    return text === undefined ? [] : [{ id: key, accountAddress: address, key, updatedAt, sealed: text }]
  })
  const [lines, ourLines] = [theirs, ours].map((each) => each.filter(({ key }) => isActivity(key))) as [
    BackupMetadata[],
    MetadataRecord[],
  ]
  return [...metadata, ...(await mergeActivity(enclave, address, lines, ourLines, count))]
}

async function sealLabels(enclave: Enclave, tokens: readonly BackupToken[]): Promise<TokenRecord[]> {
  const labelled = tokens.flatMap(({ id, label }) =>
    label === undefined ? [] : [{ context: tokenLabelContext(id), text: label }],
  )
  const sealed = await sealTexts(enclave, labelled)
  let next = 0
  return tokens.map(({ label, ...rest }) => {
    // Filled in here, because another copy takes several times as long.
    const record: TokenRecord = rest
    const sealedLabel = label === undefined ? undefined : sealed[next++]
    if (sealedLabel !== undefined) record.sealedLabel = sealedLabel
    return record
  })
}
