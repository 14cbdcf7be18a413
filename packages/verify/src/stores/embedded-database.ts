// LMDB in a folder, for one machine (docs/decisions/058).
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open } from 'lmdb'
import { VerifyError } from '../errors.ts'
import { checkFolder } from '../options.ts'

export type Key = (string | number)[]

/** LMDB limits the length of keys. */
export const digest = (id: string) => createHash('sha256').update(id).digest('base64url')

/** Entries in a folder, which several processes can share. */
export class EmbeddedDatabase {
  readonly #folder: string
  readonly #database: ReturnType<typeof openDatabase>
  #isClosed = false

  /** @throws VerifyError STORE_FAILED if the folder can't be opened; INVALID_OPTIONS without one */
  constructor(folder: string) {
    checkFolder(folder)
    this.#folder = folder
    this.#database = openDatabase(folder)
  }

  /** What the work wrote is on the disk afterwards. No other process writes meanwhile. @throws VerifyError STORE_FAILED */
  async write<T>(work: () => T): Promise<T> {
    try {
      return await this.#database.transaction(work)
    } catch (cause) {
      ignoreCommitError(cause)
      throw new VerifyError(
        'STORE_FAILED',
        `The store in ${this.#folder} can't be written. Check the disk.`,
        { cause },
      )
    }
  }

  has(key: Key): boolean {
    return this.#open.doesExist(key)
  }

  get(key: Key): unknown {
    return this.#open.get(key)
  }

  /** Keys in order, from `start` to `end`. */
  keys(range: { readonly start: Key; readonly end: Key; readonly limit?: number }): Key[] {
    return [...this.#open.getKeys(range)]
  }

  /** For use in `write`. */
  put(key: Key, value: unknown): void {
    this.#database.put(key, value)
  }

  /** For use in `write`. */
  remove(key: Key): void {
    this.#database.remove(key)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#database.close()
  }

  get #open() {
    if (this.#isClosed) throw new VerifyError('STORE_FAILED', `The store in ${this.#folder} was closed.`)
    return this.#database
  }
}

function openDatabase(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // With `eventTurnBatching`, a failed commit would reject a promise that no one handles, which ends the process.
    // Without `overlappingSync`, a commit is on the disk when it resolves. With it, a flush that fails is never reported.
    const options = {
      encoding: 'msgpack',
      cache: false,
      eventTurnBatching: false,
      overlappingSync: false,
    } as const
    return open<unknown, Key>({ path: folder, ...options })
  } catch (cause) {
    throw new VerifyError(
      'STORE_FAILED',
      `The store can't be opened in ${folder}. Check that it is writable.`,
      {
        cause,
      },
    )
  }
}

/** The error of a failed commit carries another rejected promise. If no one handled it, the process would end. */
function ignoreCommitError(error: unknown): void {
  const { commitError } = Object(error)
  if (commitError instanceof Promise) commitError.catch(() => {})
}
