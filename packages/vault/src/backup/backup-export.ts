import type { Enclave } from '@keyhole/enclave'
import { seqOf } from '../activity/activity-log.ts'
import { contextOf } from '../activity/activity-merge.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { openTexts, tokenLabelContext } from '../enclave/sealed-text.ts'
import { DEVICE_PREFIX } from '../storage/devices/device-marks.ts'
import { ENDED_PREFIX, parseEnded } from '../storage/expiry.ts'
import type { MetadataRecord, SessionRecord, TokenRecord } from '../storage/schema.ts'
import type { BackupContents, BackupMetadata, BackupToken } from './backup-file.ts'
import type { BackupTarget } from './backup-source.ts'
import type { BackupWork } from './backup-work.ts'
import { areSound, CHECKED_AT_ONCE } from './opened-backup.ts'

/** Approximate size of a chunk, in characters of its records. */
const CHUNK = 256 * 1024
/** Estimated size of a record without its longest text. */
const SLACK = 600

type Part = { [K in keyof BackupContents]: BackupContents[K][number][] }

/** Where an account's records are read from: its database or its second copy. */
export interface BackupRecords {
  tokenPages(size?: number): AsyncIterable<TokenRecord[]>
  metadataPages(): AsyncIterable<MetadataRecord[]>
  readSessions(): Promise<SessionRecord[]>
}

/** What went into a backup. */
export interface Exported {
  readonly tokens: number
  /** Ids of stored tokens that were left out because they can't be read. */
  readonly skipped: readonly string[]
}

/** Seals everything that belongs in an account's backup, a chunk at a time. Personal texts are unsealed first. */
export class BackupExport {
  readonly #enclave: Enclave
  readonly #target: BackupTarget
  #part: Part = { tokens: [], sessions: [], metadata: [] }
  #size = 0

  constructor(enclave: Enclave, target: BackupTarget) {
    this.#enclave = enclave
    this.#target = target
  }

  /**
   * @param lines how many lines the log had when the head was written; later ones aren't part of the backup
   * @param total approximate number of tokens
   * @throws VaultError OPERATION_FAILED, the plugin's code (VAULT_LOCKED) in `details`; the signal's reason
   */
  async write(
    storage: BackupRecords | undefined,
    { lines, total, signal, onProgress }: BackupWork & { lines: number; total: number },
  ): Promise<Exported> {
    let tokens = 0
    let done = 0
    const skipped: string[] = []
    const take = async (records: readonly TokenRecord[]) => {
      for (const token of await openTokens(this.#enclave, records)) {
        if (token.isSound) {
          await this.#add('tokens', token.token, token.token.token.length)
          tokens += 1
        } else skipped.push(token.token.id)
      }
      done += records.length
      onProgress?.(Math.min(done, total), total)
    }
    if (storage) {
      for await (const page of storage.tokenPages(CHECKED_AT_ONCE)) {
        signal?.throwIfAborted()
        await take(page)
      }
      for (const session of await storage.readSessions()) await this.#add('sessions', session, 0)
      for await (const page of storage.metadataPages()) {
        signal?.throwIfAborted()
        // Expired tokens are exported as tokens.
        await take(page.flatMap(endedTokenOf))
        const own = page.filter(({ key }) => isOwn(key) && (seqOf(key) ?? 0) <= lines)
        for (const record of await openMetadata(this.#enclave, own)) {
          await this.#add('metadata', record, record.value.length)
        }
      }
    }
    signal?.throwIfAborted()
    await this.#flush(true)
    return { tokens, skipped }
  }

  async #add<K extends keyof Part>(kind: K, record: Part[K][number], length: number): Promise<void> {
    const records: unknown[] = this.#part[kind]
    records.push(record)
    this.#size += length + SLACK
    if (this.#size >= CHUNK) await this.#flush(false)
  }

  async #flush(last: boolean): Promise<void> {
    const input = { contents: this.#part, last }
    const failure = 'Failed to export the vault'
    const sealed = await callPlugin(this.#enclave, 'seal_backup_chunk', input, failure)
    this.#target.addChunk(sealed.chunk)
    this.#part = { tokens: [], sessions: [], metadata: [] }
    this.#size = 0
  }
}

/** Neither an ended token nor what belongs to one device. */
function isOwn(key: string): boolean {
  return !key.startsWith(ENDED_PREFIX) && !key.startsWith(DEVICE_PREFIX)
}

function endedTokenOf(record: MetadataRecord): TokenRecord[] {
  const ended = record.key.startsWith(ENDED_PREFIX) ? parseEnded(record) : undefined
  return ended?.store === 'tokens' ? [ended.record] : []
}

async function openTokens(
  enclave: Enclave,
  records: readonly TokenRecord[],
): Promise<{ token: BackupToken; isSound: boolean }[]> {
  const labels = await openTexts(
    enclave,
    records.flatMap(({ id, sealedLabel }) =>
      sealedLabel === undefined ? [] : [{ context: tokenLabelContext(id), text: sealedLabel }],
    ),
  )
  const sound = await areSound(
    enclave,
    records.map(({ token }) => token),
  )
  let next = 0
  return records.map(({ sealedLabel, ...token }, at) => {
    const label = sealedLabel === undefined ? undefined : labels[next++]
    return { token: { ...token, ...(label !== undefined && { label }) }, isSound: sound[at] === true }
  })
}

async function openMetadata(enclave: Enclave, stored: readonly MetadataRecord[]): Promise<BackupMetadata[]> {
  const values = await openTexts(
    enclave,
    stored.map(({ key, sealed }) => ({ context: contextOf(key), text: sealed })),
  )
  return stored.flatMap(({ key, updatedAt }, index) => {
    const value = values[index]
    return value === undefined ? [] : [{ key, updatedAt, value }]
  })
}
