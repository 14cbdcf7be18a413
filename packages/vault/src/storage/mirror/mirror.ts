import * as v from 'valibot'
import { isResealed, revisionOf } from '../../enclave/revision.ts'
import { Journal } from '../journal/journal.ts'
import {
  findDirectory,
  listDirectories,
  makeDirectory,
  readFile,
  removeDirectory,
  removeFile,
  writeFile,
} from '../opfs-files.ts'
import { toStorageError } from '../storage-error.ts'

const STATE = 'state.json'
/** The previous state, in case the latest is damaged. */
const PREVIOUS = 'previous.json'
/** The state that a restored backup replaced, unless it was older. */
const REPLACED = 'replaced.json'
const FORMAT = 'keyhole-mirror-v1'

const file = v.object({ format: v.literal(FORMAT), state: v.string(), sha256: v.string() })
const mirrored = v.object({
  address: v.string(),
  createdAt: v.number(),
  savedAt: v.number(),
  enclave: v.pipe(v.string(), v.nonEmpty()),
})

/** The mirrored sealed state. Times are in milliseconds since 1970. */
export type MirroredState = v.InferOutput<typeof mirrored>

/** Writes a prepared state. */
export type WriteState = (state: MirroredState) => Promise<void>

/** SHA-256 of a text in UTF-8, as hex. */
export async function checksum(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Parses the text of a mirrored state. @throws Error if it doesn't parse */
export function parseMirrored(text: string): MirroredState {
  return v.parse(mirrored, JSON.parse(text))
}

/** One account's mirror: its sealed state and the journal of its records, in files outside IndexedDB. */
export class AccountMirror {
  readonly address: string
  readonly journal: Journal
  readonly #directory: FileSystemDirectoryHandle

  private constructor(address: string, directory: FileSystemDirectoryHandle) {
    this.address = address
    this.journal = new Journal(directory)
    this.#directory = directory
  }

  /** The mirror of an account, created if missing. @throws Error if there is no file system, or it fails */
  static async make(address: string): Promise<AccountMirror> {
    return new AccountMirror(address, await makeDirectory(address))
  }

  /** The mirror of an account, if it has one. @throws Error if there is no file system, or it fails */
  static async find(address: string): Promise<AccountMirror | undefined> {
    const directory = await findDirectory(address)
    return directory && new AccountMirror(address, directory)
  }

  /** The sealed state, or the previous one if it is damaged; undefined if there is neither. */
  async readState(): Promise<MirroredState | undefined> {
    return (await this.#read(STATE)) ?? (await this.#read(PREVIOUS))
  }

  async #read(name: string): Promise<MirroredState | undefined> {
    const bytes = await readFile(this.#directory, name)
    if (!bytes) return undefined
    try {
      const { state, sha256 } = v.parse(file, JSON.parse(new TextDecoder().decode(bytes)))
      if ((await checksum(state)) !== sha256) return undefined
      const parsed = parseMirrored(state)
      return parsed.address === this.address ? parsed : undefined
    } catch {
      return undefined
    }
  }

  /**
   * Writes the sealed state and keeps the previous one. If the data key was replaced, which reseals every private key,
   * no earlier state stays in the mirror.
   */
  async writeState(state: MirroredState): Promise<void> {
    const write = await this.prepareState(state.enclave)
    await write(state)
  }

  /**
   * Does what comes before writing a sealed state: keeps the one that it replaces. It is in two files until then.
   * @returns writes it
   */
  async prepareState(enclave: string): Promise<WriteState> {
    // If the latest is damaged, the previous one must not outlive its key either.
    const before = await this.readState()
    const isNewKey = before !== undefined && isResealed(before.enclave, enclave)
    if (before && !isNewKey && before.enclave !== enclave) await this.#put(PREVIOUS, before)
    return async (state) => {
      if (isNewKey) {
        await removeFile(this.#directory, PREVIOUS)
        await removeFile(this.#directory, REPLACED)
      }
      await this.#put(STATE, state)
    }
  }

  /** Replaces a state with a restored one. The replaced one is kept unless it was older. */
  async replaceState(state: MirroredState): Promise<void> {
    const before = await this.readState()
    const newer = (revisionOf(before?.enclave ?? '') ?? -1) >= (revisionOf(state.enclave) ?? 0)
    if (before && newer && before.enclave !== state.enclave) await this.#put(REPLACED, before)
    await this.#put(STATE, state)
    // It precedes the replaced state.
    await removeFile(this.#directory, PREVIOUS)
  }

  async #put(name: string, state: MirroredState): Promise<void> {
    const text = JSON.stringify(state)
    await writeFile(this.#directory, name, [
      JSON.stringify({ format: FORMAT, state: text, sha256: await checksum(text) }),
    ])
  }
}

/** The addresses that have a mirror here. */
export const listMirrors = listDirectories
/** Deletes an account's mirror. @throws Error if the file system refuses */
export const removeMirror = removeDirectory

/** A second copy with its account's keys. */
export interface WholeCopy {
  readonly mirror: AccountMirror
  readonly state: MirroredState
}

/**
 * The second copy of an account; undefined if there is none, or its keys are damaged.
 * @throws VaultError OPERATION_FAILED if a file can't be read now
 */
export async function findCopy(address: string): Promise<WholeCopy | undefined> {
  const mirror = await AccountMirror.find(address).catch(() => undefined)
  try {
    const state = await mirror?.readState()
    return mirror && state && { mirror, state }
  } catch (error) {
    throw toStorageError(error, 'reading the second copy')
  }
}
