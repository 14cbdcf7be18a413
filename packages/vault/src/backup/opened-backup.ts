import type { Enclave, EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import { isAboutToken, refused } from '../base/errors.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { normalisePassphrase } from '../unlock/unlock-proof.ts'
import { type BackupPart, parseAbout, parseContents, parsePart } from './backup-file.ts'
import { BackupSource } from './backup-source.ts'
import { type BackupWork, untilStopped } from './backup-work.ts'

/** A backup, and what opens it. */
export interface BackupOpening {
  /** The backup file, or its text. */
  readonly text: string | Blob
  /** What opens the file: one of the two. */
  readonly exportPassphrase?: string
  readonly recoveryCode?: string
}

const failure = 'Failed to import the backup'

/** The formats whose records follow their head in chunks; the second is that of an account of `seal-v2`. */
const CHUNKED: readonly string[] = ['keyhole-backup-v3', 'keyhole-backup-v5']

/** Tokens checked between two reports of progress. */
export const CHECKED_AT_ONCE = 50
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
    this.#whole = CHUNKED.includes(begun.format) ? undefined : parseContents(begun.contents)
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
    let isOver = false
    for await (const chunk of this.#source.chunks()) {
      // The enclave would begin anew with the first one.
      if (isOver) throw refused('BackupDamaged', { how: 'there is more after its last part' })
      const opened = await callPlugin(this.#enclave, 'open_backup_chunk', { chunk }, failure)
      isOver = opened.last
      yield parsePart(opened.contents)
    }
    if (!isOver) throw refused('BackupDamaged', { how: 'its last part is missing' })
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
