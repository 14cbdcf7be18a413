import type { Enclave } from '@keyhole/enclave'
import * as v from 'valibot'
import { ACTIVITY_PREFIX, seqOf } from '../activity/activity-log.ts'
import { asideKey, contextOf } from '../activity/activity-merge.ts'
import { countLines } from '../activity/activity-reader.ts'
import { BACKUP_KEY } from '../backup/backup-health.ts'
import { progressOf, untilStopped } from '../backup/backup-work.ts'
import type { ImportRequest } from '../backup/backups.ts'
import { mergeBackup } from '../backup/merge-records.ts'
import { OpenedBackup } from '../backup/opened-backup.ts'
import { withProgressHeartbeat } from '../backup/progress-heartbeat.ts'
import { refused } from '../base/errors.ts'
import { forgetDevices } from '../enclave/needs-devices.ts'
import { callPlugin, discard } from '../enclave/plugin.ts'
import { revisionOf } from '../enclave/revision.ts'
import { metadataContext, openTexts, sealTexts } from '../enclave/sealed-text.ts'
import type { VaultContext } from '../session/context.ts'
import { AccountStorage, type OpenStorage } from '../storage/account/account-storage.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import { DEVICE_LINK, DEVICE_PREFIX } from '../storage/devices/device-marks.ts'
import type { MetadataRecord } from '../storage/schema.ts'
import { laterThan, sealMetadata } from '../storage/sealed-metadata.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { checkNewPassphrase } from '../unlock/passphrase.ts'

/** A locked account that was opened by its backup. */
export interface ResetAccount {
  readonly address: string
  /** Keys in the file, and tokens it added. */
  readonly keys: number
  readonly tokens: number
  /** Ids of keys created after the file was written. Only the account's old unlock methods could open them. */
  readonly lostKeys: readonly string[]
}

const failure = 'Failed to open the account by its backup'

/**
 * Sets a new passphrase on a locked account, using its own backup: the keys become those of the file, records are
 * merged, and the previous sealed state is kept beside the new one. The account is locked afterwards.
 * @throws VaultError INVALID_PASSPHRASE: the file doesn't open, or the new passphrase is too weak; OPERATION_FAILED.
 *   Nothing was changed
 */
export async function resetByBackup(
  context: VaultContext,
  address: string,
  request: ImportRequest,
): Promise<ResetAccount> {
  return await withProgressHeartbeat(request, (beating) => reset(context, address, beating))
}

async function reset(context: VaultContext, address: string, request: ImportRequest): Promise<ResetAccount> {
  const passphrase = await checkNewPassphrase(request.passphrase ?? '', context.config.assessPassphrase)
  const { client } = context
  const isOpen = client.accountAddress === address
  const enclave = await client.startEnclave()
  const storage = isOpen ? client.storage : await AccountStorage.open(address)
  const undo: string[] = []
  try {
    const backup = await OpenedBackup.open(enclave, request)
    const progress = progressOf(backup, request, 2)
    await backup.verify(request.signal, progress)
    return await withWriteLock(address, async () => {
      const before = await storage.readState()
      if (!before) throw refused('AccountNotHere')
      const input = { passphrase, above: revisionOf(before.enclave) ?? 0 }
      const finish = () => callPlugin(enclave, 'finish_import', input, failure)
      const { status, added_keys } = await untilStopped(request.signal, finish)
      if (status.address !== address) {
        throw refused('BackupOfOtherAccount')
      }
      const options = { isNew: false, work: request, progress, undo }
      const merged = await mergeBackup(enclave, backup, new Readable(storage, enclave), options)
      const checked = await openedRecord(enclave, storage, context.clock.now())
      const aside = await setLinesAside(enclave, storage, address)
      const about = { tokens: merged.tokens, keys: added_keys.length }
      const lines = await context.log.seal(enclave, address, [{ act: 'reset', outcome: 'done', about }])
      const { batch } = merged
      const { id: standing } = checked
      const others = [...(batch.metadata ?? []), ...aside.metadata, ...lines.metadata]
      const metadata = [...others.filter(({ id }) => id !== standing), checked]
      const written = new Set(metadata.map(({ id }) => id))
      const devices = (await storage.readMetadataUnder(DEVICE_PREFIX)).map(({ id }) => id)
      const gone = [...aside.replaced.filter((id) => !written.has(id)), ...devices]
      // The file's state is no device's, so nothing may be left that says so: it could change no keys then.
      const removed = { metadata: devices.length > 0 ? [...gone, DEVICE_LINK] : gone }
      const records = { ...batch, metadata, removed, unmarked: true } as const
      await storage.writeState(lines.enclave, context.clock.now(), records, { replaces: true })
      forgetDevices(address)
      context.log.written(address)
      const lostKeys = keyIdsOf(before.enclave).filter((id) => !added_keys.includes(id))
      return { address, keys: added_keys.length, tokens: merged.tokens, lostKeys }
    })
  } catch (error) {
    if (undo.length > 0) {
      await storage.writeBatch({ removed: { tokens: undo } }, 'taking back the import').catch(() => undefined)
    }
    throw error
  } finally {
    if (!isOpen) storage.close()
    await discard(enclave)
  }
}

/** What is remembered of the account's backups: this one opened. Others were checked against the log that it replaces. */
async function openedRecord(enclave: Enclave, storage: OpenStorage, now: number): Promise<MetadataRecord> {
  const through = await countLines(enclave)
  const at = laterThan(await storage.readMetadataOf(BACKUP_KEY), now)
  const text = JSON.stringify({ verifiedAt: now, through })
  return await sealMetadata(enclave, storage.address, BACKUP_KEY, text, at)
}

/** Moves log lines that came after the file aside, because their numbers will be used again. */
async function setLinesAside(
  enclave: Enclave,
  storage: OpenStorage,
  address: string,
): Promise<{ metadata: MetadataRecord[]; replaced: string[] }> {
  const count = await countLines(enclave)
  const later = (await storage.readMetadataUnder(ACTIVITY_PREFIX)).filter(
    ({ key }) => (seqOf(key) ?? 0) > count,
  )
  const texts = await openTexts(
    enclave,
    later.map(({ key, sealed }) => ({ context: contextOf(key), text: sealed })),
  )
  const metadata: MetadataRecord[] = []
  for (const [index, record] of later.entries()) {
    const text = texts[index]
    const key = await asideKey('replaced', record.key, text ?? record.sealed)
    const [sealed] =
      text === undefined
        ? [record.sealed]
        : await sealTexts(enclave, [{ context: metadataContext(key), text }])
    if (sealed !== undefined) {
      metadata.push({ id: key, accountAddress: address, key, updatedAt: record.updatedAt, sealed })
    }
  }
  return { metadata, replaced: later.map(({ id }) => id) }
}

/** The account's records that the new state can open. The others are ignored. */
class Readable {
  readonly #storage: OpenStorage
  readonly #enclave: Enclave

  constructor(storage: OpenStorage, enclave: Enclave) {
    this.#storage = storage
    this.#enclave = enclave
  }

  tokenPages() {
    return this.#storage.tokenPages()
  }

  metadataPages() {
    return this.#storage.metadataPages()
  }

  readMetadataOf(key: string) {
    return this.#storage.readMetadataOf(key)
  }

  readSessions() {
    return this.#storage.readSessions()
  }

  writeBatch(batch: StateBatch, what?: string) {
    return this.#storage.writeBatch(batch, what)
  }

  async readMetadata() {
    const records = await this.#storage.readMetadata()
    const texts = await openTexts(
      this.#enclave,
      records.map(({ key, sealed }) => ({ context: contextOf(key), text: sealed })),
    )
    return records.filter((_, index) => texts[index] !== undefined)
  }
}

const sealedKeys = v.looseObject({ keys: v.array(v.looseObject({ id: v.string() })) })

/** The ids of the keys in a sealed state. */
function keyIdsOf(enclave: string): string[] {
  try {
    return v.parse(sealedKeys, JSON.parse(enclave)).keys.map(({ id }) => id)
  } catch {
    return []
  }
}
