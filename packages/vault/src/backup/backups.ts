import type { Enclave, EnclaveAnswer } from '@keyhole/enclave'
import { countLines } from '../activity/activity-reader.ts'
import { refused } from '../base/errors.ts'
import type { MadeAccount, NewAccount } from '../client/open-account.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { deletedKeyId, readDeletedKeys } from '../keys/deleted-keys.ts'
import type { Changes } from '../session/changes.ts'
import type { VaultContext } from '../session/context.ts'
import type { OpenStorage } from '../storage/account/account-storage.ts'
import { withWriteLock } from '../storage/write-lock.ts'
import { checkNewPassphrase } from '../unlock/passphrase.ts'
import type { UnlockProof } from '../unlock/unlock-proof.ts'
import { BackupExport } from './backup-export.ts'
import { backupFilename, toAbout } from './backup-file.ts'
import { rememberBackup } from './backup-health.ts'
import { BackupSource, BackupTarget } from './backup-source.ts'
import { type BackupWork, progressOf, untilStopped } from './backup-work.ts'
import { fileOpening } from './file-opening.ts'
import { fillAccount, mergeBackup } from './merge-records.ts'
import { type BackupOpening, OpenedBackup } from './opened-backup.ts'
import { withProgressHeartbeat } from './progress-heartbeat.ts'

export interface ExportRequest extends BackupWork {
  /** The account's passphrase or a passkey, checked inside the enclave. */
  readonly proof: UnlockProof
  /**
   * Seals the file, and must meet the rules for a new passphrase. Optional if the account has a recovery code: without
   * a passphrase, only the code opens the file.
   */
  readonly exportPassphrase?: string
}

/** A backup file. */
export interface BackupFile {
  readonly filename: string
  /** The file's contents. The browser keeps a large one on disk, not in memory. */
  readonly file: Blob
  /** The same as text, up to 32 MiB. Empty for a larger file: use `file`. */
  readonly text: string
  /** Ids of stored tokens that were left out because they can't be read. */
  readonly skipped: readonly string[]
}

/** A backup file, what opens it, and how to import it. */
export interface ImportRequest extends BackupOpening, BackupWork {
  /** Seals the account here if it's new to this browser. Not needed to merge into the open account. */
  readonly passphrase?: string
  /** When merging, also restores keys that were deleted here. Default false: they stay deleted. */
  readonly deletedKeys?: boolean
}

/** What an import added. */
export interface ImportResult {
  readonly address: string
  readonly tokens: number
  readonly keys: number
  /** Ids of keys in the file that were left out because they were deleted here. */
  readonly deletedKeys: readonly string[]
  /** True if the account is new to this browser. */
  readonly created: boolean
}

/** Maximum size of a backup that is also returned as text, in bytes. */
const LONGEST_TEXT = 32 * 1024 * 1024

const failure = 'Failed to import the backup'

/** Exports one file, and imports all of a file or nothing. */
export class Backups {
  readonly #context: VaultContext
  readonly #changes: Changes

  constructor(context: VaultContext, changes: Changes) {
    this.#context = context
    this.#changes = changes
  }

  async export(request: ExportRequest): Promise<BackupFile> {
    return await withProgressHeartbeat(request, (beating) => this.#export(beating))
  }

  async #export({ proof, exportPassphrase, ...work }: ExportRequest): Promise<BackupFile> {
    const context = this.#context
    const { client, config } = context
    context.requireUnlocked()
    const { address = '' } = context.snapshot
    const { enclave } = client
    const opening = await fileOpening(exportPassphrase, config.assessPassphrase)
    const storage = client.accountAddress === undefined ? undefined : client.storage
    const total = (await storage?.count('tokens')) ?? 0
    const input = { ...opening, contents: toAbout(total) }
    const begin = () =>
      withWriteLock(address, () =>
        context.prove(address, proof, async (given) => {
          const head = { ...input, proof: given }
          const unwritten = 'Failed to export the vault'
          const begun = await callPlugin(enclave, 'begin_export', head, unwritten)
          if (work.signal?.aborted) await enclave.call('end_backup', {}).catch(() => undefined)
          return { ...begun, lines: await countLines(enclave) }
        }),
      )
    const { backup, lines } = await untilStopped(work.signal, begin)
    const target = new BackupTarget(backup)
    try {
      const written = await new BackupExport(enclave, target).write(storage, { ...work, lines, total })
      const file = target.finish()
      await this.#remember({ address, enclave }, written.tokens)
      context.announce('vault:exported', { address, tokens: written.tokens })
      return {
        filename: backupFilename(address, context.clock.now()),
        file,
        text: file.size <= LONGEST_TEXT ? await file.text() : '',
        skipped: written.skipped,
      }
    } catch (error) {
      await enclave.call('end_backup', {}).catch(() => undefined)
      throw error
    }
  }

  /** Which account a backup belongs to. Needs no passphrase. */
  async addressOf(text: string | Blob): Promise<string> {
    const backup = await new BackupSource(text).head()
    const unread = 'Failed to read the backup'
    return (await this.#context.call('read_backup', { backup }, unread)).address
  }

  /** Merges a backup into the open, unlocked account. */
  async merge(request: ImportRequest): Promise<ImportResult> {
    return await withProgressHeartbeat(request, (beating) => this.#merge(beating))
  }

  async #merge(request: ImportRequest): Promise<ImportResult> {
    const { client } = this.#context
    this.#context.requireUnlocked()
    const { enclave } = client
    const storage = client.accountAddress === undefined ? undefined : client.storage
    const backup = await OpenedBackup.open(enclave, request)
    const undo: string[] = []
    try {
      const progress = progressOf(backup, request, 2)
      await backup.verify(request.signal, progress)
      let tokens = 0
      let left: string[] = []
      const result = await this.#changes.mutate({
        act: 'importVault',
        name: 'finish_import',
        input: async () => {
          const here = this.#context.snapshot.keys.map(({ key_id }) => key_id)
          const deleted = await readDeletedKeys(enclave, storage)
          left = request.deletedKeys
            ? []
            : deleted.filter((id) => backup.keys.includes(id) && !here.includes(id))
          return { without: left }
        },
        failure,
        prepare: async ({ status }) => {
          const options = { isNew: false, work: request, progress, undo }
          const merged = await mergeBackup(enclave, backup, storage, options)
          tokens = merged.tokens
          return { ...merged.batch, removed: { metadata: marksOf(status.keys) } }
        },
        about: ({ added_keys }) => ({ keys: added_keys.length, tokens }),
      })
      const { status, added_keys } = result
      const keys = added_keys.length
      return { address: status.address ?? '', tokens, keys, deletedKeys: left, created: false }
    } catch (error) {
      // Undo what was already written: an import is all or nothing.
      if (undo.length > 0) {
        await storage
          ?.writeBatch({ removed: { tokens: undo } }, 'taking back the import')
          .catch(() => undefined)
      }
      throw error
    } finally {
      await backup.end()
    }
  }

  /** Opens a backup in an empty enclave; the account can be adopted, which checks the backup and imports it. */
  async restore(enclave: Enclave, request: ImportRequest) {
    const passphrase = await checkNewPassphrase(
      request.passphrase ?? '',
      this.#context.config.assessPassphrase,
    )
    const backup = await OpenedBackup.open(enclave, request)
    const { address } = backup
    const result = { address, tokens: 0, keys: 0, deletedKeys: [], created: true }
    const make = async (storage: OpenStorage | undefined): Promise<MadeAccount> => {
      let made: EnclaveAnswer<'finish_import'> | undefined
      const merged = await fillAccount(enclave, backup, storage, request, async () => {
        const finish = () => callPlugin(enclave, 'finish_import', { passphrase }, failure)
        // After an abort, the caller that started the enclave discards it together with this work.
        made = await untilStopped(request.signal, finish)
      })
      if (made?.status.address !== address) throw refused('CallFailed', { failure })
      await backup.end()
      result.tokens = merged.tokens
      result.keys = made.added_keys.length
      const batch = { ...merged.batch, removed: { metadata: marksOf(made.status.keys) } }
      return { sealed: made.enclave, batch, journal: merged.journal }
    }
    const account: NewAccount = { enclave, address, fills: true, make }
    return { account, result }
  }

  async #remember(
    of: { readonly address: string; readonly enclave: Enclave },
    tokens: number,
  ): Promise<void> {
    const context = this.#context
    const about = { keys: context.snapshot.keys.length, tokens }
    const writtenAt = context.clock.now()
    await rememberBackup(context, this.#changes, of, { act: 'exportVault', about }, (before) => ({
      ...before,
      writtenAt,
    }))
  }
}

/**
 * The marks that say these keys were deleted. A key that is here has none: it may have been restored, or the file may
 * come from a device where it was deleted.
 */
function marksOf(keys: readonly { readonly key_id: string }[]): string[] {
  return keys.map(({ key_id }) => deletedKeyId(key_id))
}
