import type { Enclave, EnclaveAnswer, EnclaveInput } from '@keyhole/enclave'
import { isAboutToken, refused } from '../base/errors.ts'
import { callPlugin } from '../enclave/plugin.ts'
import { normalisePassphrase } from '../unlock/unlock-proof.ts'
import { type BackupPart, parseAbout, parseContents, parsePart } from './backup-file.ts'
import { BackupSource } from './backup-source.ts'
import { type BackupWork, untilStopped } from './backup-work.ts'
import { pipeline } from './pipeline.ts'

/** A backup, and what opens it. */
export interface BackupOpening {
  /** The backup file, or its text. */
  readonly text: string | Blob
  /** Opens the file: give exactly one. */
  readonly exportPassphrase?: string
  readonly recoveryCode?: string
}

const failure = 'Failed to import the backup'

/** The formats whose records follow their head in chunks. */
const CHUNKED: readonly string[] = [3, 5, 6, 7].map((version) => `keyhole-backup-v${version}`)

/**
 * Tokens checked between two progress reports, in one call. It takes an enclave some 20 ms. The plugin sums up as many
 * signatures at a time.
 */
export const CHECKED_AT_ONCE = 512

/** Parts opened, and portions checked, ahead of their use: enough that neither enclave waits for the page. */
const OPENED_AHEAD = 4
const CHECKED_AHEAD = 4

/** The longest part, in characters of the file, that others are read beside. Keyhole writes about 350,000. */
const LONGEST_BESIDE = 1 << 20

/** The largest file whose parts stay in memory once they are checked, in bytes. */
const KEPT = 8 << 20

/** The longest that all texts of one call may be: half of what the plugin takes. */
const MOST_LETTERS = 8 << 20

/** A part of a backup, and its length in the file. */
interface OpenedPart {
  readonly part: BackupPart
  readonly size: number
}

/** A part of a backup whose tokens are all signed by their issuers, and what was made of it meanwhile. */
export interface CheckedPart<T> {
  readonly part: BackupPart
  readonly made: T
}

/** A backup opened by an enclave. It can be read part by part, as often as needed. */
export class OpenedBackup {
  readonly address: string
  /** Seconds since 1970. */
  readonly createdAt: number
  readonly keys: readonly string[]
  /** Approximate number of tokens. */
  readonly total: number
  readonly #enclave: Enclave
  readonly #source: BackupSource
  readonly #whole: BackupPart | undefined
  /** The parts of a small file, once they were checked. */
  #kept: readonly BackupPart[] | undefined

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
   * Opens a backup's head, including its keys. The enclave keeps it until `end`, a lock, or the next backup.
   * @param check whether the backup is only compared, not imported
   * @throws VaultError INVALID_PASSPHRASE in `details`; OPERATION_FAILED if it is damaged or newer; the signal's reason
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
      // Sent before anything else, because the enclave may still be opening it.
      if (opening.signal?.aborted) void enclave.call('end_backup', {}).catch(() => undefined)
      throw error
    }
  }

  /** The whole backup, part by part. @throws VaultError OPERATION_FAILED if a part is missing or was altered */
  async *parts(): AsyncGenerator<BackupPart> {
    if (this.#kept) yield* this.#kept
    else for await (const { part } of this.#opened()) yield part
  }

  /**
   * The whole backup, part by part, each once all its tokens are checked. The next parts are opened and checked
   * meanwhile.
   * @param make called with each part, in order, and awaited beside its check
   * @throws VaultError OPERATION_FAILED if a part is missing or was altered, or a token isn't signed by its issuer. Only
   *   at the end is it known that there is no such part
   */
  async *checked<T>(
    signal: AbortSignal | undefined,
    make: (part: BackupPart) => Promise<T>,
  ): AsyncGenerator<CheckedPart<T>> {
    const check = async ({ part }: OpenedPart): Promise<CheckedPart<T>> => {
      const [made] = await Promise.all([make(part), this.#check(part, signal)])
      return { part, made }
    }
    yield* pipeline(this.#portions(), check, {
      most: CHECKED_AHEAD,
      isLong: ({ size }) => size > LONGEST_BESIDE,
    })
  }

  /**
   * Checks every token, and that the file is complete, before any of it is used.
   * @param progress called with how many more tokens were checked
   */
  async verify(signal: AbortSignal | undefined, progress: (more: number) => void): Promise<void> {
    const kept: BackupPart[] = []
    const isSmall = this.#source.size <= KEPT
    for await (const { part } of this.checked(signal, async () => undefined)) {
      signal?.throwIfAborted()
      if (isSmall) kept.push(part)
      progress(part.tokens.length)
    }
    if (isSmall) this.#kept = kept
  }

  async #check({ tokens }: BackupPart, signal: AbortSignal | undefined): Promise<void> {
    for (let start = 0; start < tokens.length; start += CHECKED_AT_ONCE) {
      signal?.throwIfAborted()
      const checked = tokens.slice(start, start + CHECKED_AT_ONCE)
      const sound = await areSound(
        this.#enclave,
        checked.map(({ token }) => token),
      )
      if (sound.includes(false)) throw refused('BackupTokenInvalid')
    }
  }

  /** The parts with about as many tokens as are checked in one call. */
  async *#portions(): AsyncGenerator<OpenedPart> {
    let waiting: OpenedPart | undefined
    for await (const next of this.#opened()) {
      const joined = waiting && join(waiting, next)
      if (waiting && !joined) yield waiting
      waiting = joined ?? next
    }
    if (waiting) yield waiting
  }

  async *#opened(): AsyncGenerator<OpenedPart> {
    if (this.#whole) {
      for (const part of slices(this.#whole)) yield { part, size: 0 }
      return
    }
    const open = async (chunk: string) => {
      const opened = await callPlugin(this.#enclave, 'open_backup_chunk', { chunk }, failure)
      return { ...opened, size: chunk.length }
    }
    const limits = { most: OPENED_AHEAD, isLong: (chunk: string) => chunk.length > LONGEST_BESIDE }
    let isOver = false
    for await (const { contents, last, size } of pipeline(this.#source.chunks(), open, limits)) {
      // The enclave would start over with the first chunk.
      if (isOver) throw refused('BackupDamaged', { how: 'there is more after its last part' })
      isOver = last
      yield { part: parsePart(contents), size }
    }
    if (!isOver) throw refused('BackupDamaged', { how: 'its last part is missing' })
  }

  /** Lets the enclave forget the backup. Never fails. */
  async end(): Promise<void> {
    this.#kept = undefined
    await this.#enclave.call('end_backup', {}).catch(() => undefined)
  }
}

/** Two parts as one; undefined if that would be too long. */
function join(one: OpenedPart, other: OpenedPart): OpenedPart | undefined {
  const [{ part: first }, { part: second }] = [one, other]
  const size = one.size + other.size
  if (first.tokens.length + second.tokens.length > CHECKED_AT_ONCE || size > LONGEST_BESIDE) return undefined
  const part = {
    tokens: [...first.tokens, ...second.tokens],
    sessions: [...first.sessions, ...second.sessions],
    metadata: [...first.metadata, ...second.metadata],
  }
  return { part, size }
}

/** A single-text backup in parts, so that there is progress. */
function* slices({ tokens, sessions, metadata }: BackupPart): Generator<BackupPart> {
  yield { tokens: tokens.slice(0, CHECKED_AT_ONCE), sessions, metadata }
  for (let at = CHECKED_AT_ONCE; at < tokens.length; at += CHECKED_AT_ONCE) {
    yield { tokens: tokens.slice(at, at + CHECKED_AT_ONCE), sessions: [], metadata: [] }
  }
}

/**
 * For each text, whether it contains tokens, all with valid signatures. One call checks all signatures together, which
 * costs half as much as one by one.
 * @throws VaultError if the enclave fails
 */
export async function areSound(enclave: Enclave, tokens: readonly string[]): Promise<readonly boolean[]> {
  if (tokens.length === 0) return []
  const letters = tokens.reduce((sum, { length }) => sum + length, 0)
  if (letters > MOST_LETTERS && tokens.length > 1) return await inHalves(enclave, tokens)
  try {
    const unread = 'Failed to check the tokens'
    return (await callPlugin(enclave, 'check_tokens', { tokens: [...tokens] }, unread)).sound
  } catch (error) {
    // A refusal is an answer; a failed enclave isn't.
    if (!isAboutToken(error)) throw error
    if (tokens.length === 1) return [false]
    // Together they are more work than one call may be.
    return await inHalves(enclave, tokens)
  }
}

async function inHalves(enclave: Enclave, tokens: readonly string[]): Promise<readonly boolean[]> {
  const half = Math.ceil(tokens.length / 2)
  const first = await areSound(enclave, tokens.slice(0, half))
  return [...first, ...(await areSound(enclave, tokens.slice(half)))]
}

/** @throws VaultError OPERATION_FAILED if neither or both are given */
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
