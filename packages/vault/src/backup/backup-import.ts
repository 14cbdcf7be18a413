import type { Enclave, EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import { isActivity, mergeActivity } from '../activity/activity-merge.ts'
import { countLines } from '../activity/activity-reader.ts'
import { isAboutToken, refused } from '../base/errors.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { metadataContext, sealTexts, tokenLabelContext } from '../enclave/sealed-text.ts'
import type { OpenStorage, StateBatch } from '../storage/account/account-storage.ts'
import { ENDED_PREFIX, parseEnded } from '../storage/expiry.ts'
import type { MetadataRecord, SessionRecord, TokenRecord } from '../storage/schema.ts'
import { normalisePassphrase } from '../unlock/passphrase.ts'
import {
  type BackupMetadata,
  type BackupPart,
  type BackupToken,
  type KnownTokens,
  metadataToAdd,
  parseAbout,
  parseContents,
  parsePart,
  tokenKey,
  tokensToAdd,
} from './backup-file.ts'
import { BackupSource } from './backup-source.ts'

/** A backup, and what opens it. */
export interface BackupOpening {
  /** The backup file, or its text. */
  readonly text: string | Blob
  /** What opens the file: one of the two. */
  readonly exportPassphrase?: string
  readonly recoveryCode?: string
}

export interface BackupWork {
  /** Ends the work; nothing of it stays then. */
  readonly signal?: AbortSignal
  /** How many tokens have been done, of about how many. */
  readonly onProgress?: (done: number, total: number) => void
}

const failure = 'Failed to import the backup'

/** Tokens checked between two reports of progress. */
export const CHECKED_AT_ONCE = 50
/** Tokens that are written in one transaction with the keys. */
const WRITTEN_WITH_KEYS = 4_000
/** Of more, each so many are written before, about a chunk: few enough that progress is told in between. */
const WRITTEN_AT_ONCE = 150

/** A backup that an enclave has opened. It is gone through a part at a time, as often as needed. */
export class OpenedBackup {
  readonly address: string
  /** Seconds since 1970. */
  readonly createdAt: number
  readonly keys: readonly string[]
  /** About how many tokens there are. */
  readonly total: number
  readonly #enclave: Enclave
  readonly #source: BackupSource
  readonly #whole: BackupPart | undefined

  private constructor(enclave: Enclave, source: BackupSource, begun: EnclaveAnswer<'begin_import'>) {
    this.#enclave = enclave
    this.#source = source
    this.address = begun.address
    this.createdAt = begun.created_at
    this.keys = begun.keys.map(({ key_id }) => key_id)
    this.#whole = begun.format === 'keyhole-backup-v3' ? undefined : parseContents(begun.contents)
    this.total = this.#whole ? this.#whole.tokens.length : parseAbout(begun.contents).tokens
  }

  /**
   * Opens a backup's head, keys and all. The enclave keeps it until `end`, a lock, or the next one.
   *
   * @param check whether nothing is to be made of it
   * @throws VaultError INVALID_PASSPHRASE in `details`; OPERATION_FAILED where it is damaged or newer; the signal's reason
   */
  static async open(
    enclave: Enclave,
    opening: BackupOpening & BackupWork,
    check = false,
  ): Promise<OpenedBackup> {
    const source = new BackupSource(opening.text)
    const input = { backup: await source.head(), ...opener(opening), check }
    const begin = () => callPlugin(enclave, 'begin_import', input, failure)
    try {
      return new OpenedBackup(enclave, source, await untilStopped(opening.signal, begin))
    } catch (error) {
      // Before anything else is asked of the enclave, which may still be at it.
      if (opening.signal?.aborted) void enclave.call('end_backup', {}).catch(() => undefined)
      throw error
    }
  }

  /** All of it, a part at a time. @throws VaultError OPERATION_FAILED where a part is missing or was altered */
  async *parts(): AsyncGenerator<BackupPart> {
    if (this.#whole) {
      yield this.#whole
      return
    }
    for await (const chunk of this.#source.chunks()) {
      const opened = await callPlugin(this.#enclave, 'open_backup_chunk', { chunk }, failure)
      yield parsePart(opened.contents)
    }
  }

  /**
   * Checks every token, and that the file is whole, before any of it is used.
   *
   * @param progress called with how many tokens more were checked
   */
  async verify(signal: AbortSignal | undefined, progress: (more: number) => void): Promise<void> {
    for await (const { tokens } of this.parts()) {
      signal?.throwIfAborted()
      for (let start = 0; start < tokens.length; start += CHECKED_AT_ONCE) {
        signal?.throwIfAborted()
        const checked = tokens.slice(start, start + CHECKED_AT_ONCE)
        const sound = await Promise.all(checked.map(({ token }) => isSound(this.#enclave, token)))
        if (sound.includes(false)) {
          throw refused('BackupTokenInvalid')
        }
        progress(checked.length)
      }
    }
  }

  /** The enclave lets go of it. Never fails. */
  async end(): Promise<void> {
    await this.#enclave.call('end_backup', {}).catch(() => undefined)
  }
}

/** Counts what was done. A backup's tokens are gone through twice, to check and to write them: each time is half of the way. */
export function progressOf({ total }: { total: number }, { onProgress }: BackupWork): (more: number) => void {
  let done = 0
  let told = 0
  return (more) => {
    done += more
    const half = Math.min(Math.floor(done / 2), total)
    if (half === told) return
    told = half
    onProgress?.(half, total)
  }
}

/**
 * Waits for a work that cannot be ended, such as deriving a key, until a stop and no longer. What it does after that is for the
 * caller to undo.
 *
 * @throws the signal's reason, at once; what the work throws
 */
export async function untilStopped<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted()
  if (!signal) return await work()
  return await new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}

/** What an import needs of the account that it is for. */
export type ImportStorage = Pick<
  OpenStorage,
  'tokenPages' | 'metadataPages' | 'readMetadata' | 'readSessions' | 'writeBatch'
>

/** What an import found to be added. */
export interface Gathered {
  /** Tokens that are here now and were not before, those in `batch` included. */
  readonly tokens: number
  /** What is still to be written, with the state. */
  readonly batch: StateBatch
}

/**
 * Makes the records to write of a verified backup. Where there are many, most are written on the way: what was written by
 * then is told to `undo` and is to be deleted where the import ends before the state is written.
 *
 * @param storage of the account; none where nothing outlives the page
 * @param isNew whether the account has nothing yet that records would have to be merged with
 */
export async function gatherImport(
  enclave: Enclave,
  backup: OpenedBackup,
  storage: ImportStorage | undefined,
  { isNew, work, progress, undo }: GatherOptions,
): Promise<Gathered> {
  const { address } = backup
  const known =
    storage && !isNew ? await knownTokens(storage) : { ids: new Set<string>(), keys: new Set<string>() }
  const ourSessions = new Set(isNew ? [] : (await storage?.readSessions())?.map(({ id }) => id))
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
    tokens = [...tokens, ...more]
    sessions = [...sessions, ...part.sessions.filter(({ id }) => !ourSessions.has(id))]
    theirs = [...theirs, ...part.metadata]
    if (isNew) {
      metadata = [...metadata, ...(await sealMetadataOf(enclave, address, theirs, [], count))]
      theirs = []
    }
    const most = undo.length > 0 || backup.total > WRITTEN_WITH_KEYS ? WRITTEN_AT_ONCE : WRITTEN_WITH_KEYS
    if (storage && tokens.length + metadata.length >= most) {
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
  }
  work.signal?.throwIfAborted()
  return { tokens: added, batch: { tokens, sessions, metadata } }
}

export interface GatherOptions {
  readonly isNew: boolean
  readonly work: BackupWork
  readonly progress: (more: number) => void
  /** Gets the ids of tokens that were written. */
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

/** The metadata of a backup as records to write: what is newer than ours, and the log merged line by line. */
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
  return tokens.map(({ label, ...token }) => {
    const sealedLabel = label === undefined ? undefined : sealed[next++]
    return { ...token, ...(sealedLabel !== undefined && { sealedLabel }) }
  })
}

/** Whether a text is tokens whose signatures hold. */
export async function isSound(enclave: Enclave, token: string): Promise<boolean> {
  try {
    const unread = 'Failed to inspect token'
    const { tokens } = await callPlugin(enclave, 'inspect_token', { token }, unread)
    return tokens.length > 0 && tokens.every(({ signature_valid }) => signature_valid)
  } catch (error) {
    // A refusal is an answer; that the enclave is gone is none.
    if (isAboutToken(error)) return false
    throw error
  }
}

/** @throws VaultError OPERATION_FAILED where neither or both are given */
function opener({
  exportPassphrase,
  recoveryCode,
}: BackupOpening): Omit<EnclaveInput<'begin_import'>, 'backup'> {
  if ((exportPassphrase === undefined) === (recoveryCode === undefined)) {
    throw refused('OneBackupOpening')
  }
  return exportPassphrase === undefined
    ? { recovery_code: recoveryCode }
    : { export_passphrase: normalisePassphrase(exportPassphrase) }
}
