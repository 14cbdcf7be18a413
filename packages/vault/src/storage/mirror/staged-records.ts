import { fileNameOf, segmentParts } from '../journal/journal-format.ts'
import { keyOf, putLine } from '../journal/journal-lines.ts'
import {
  findDirectory,
  hasMirror,
  inTime,
  isMissing,
  makeDirectory,
  removeFile,
  writeFile,
} from '../opfs-files.ts'
import type { MetadataRecord, SessionRecord, TokenRecord } from '../schema.ts'
import { AccountMirror, removeMirror } from './mirror.ts'

/** Some of an account's records. */
export interface StagedPortion {
  readonly tokens?: readonly TokenRecord[]
  readonly sessions?: readonly SessionRecord[]
  readonly metadata?: readonly MetadataRecord[]
}

/** Writes the records of a new account into a journal, before its database knows of it. 087 */
export class StagedRecords {
  /** The journal's name. */
  readonly journal: string
  readonly #directory: FileSystemDirectoryHandle

  private constructor(directory: FileSystemDirectoryHandle, journal: string) {
    this.#directory = directory
    this.journal = journal
  }

  /** Undefined if this browser has no place for it, or the account already has a second copy, which stays as it is. */
  static async begin(address: string): Promise<StagedRecords | undefined> {
    if (!hasMirror() || !canRename()) return undefined
    try {
      const mirror = await AccountMirror.make(address)
      const [state, { segments, failure }] = await Promise.all([mirror.readState(), mirror.journal.list()])
      if (state !== undefined || segments.length > 0 || failure) return undefined
      const directory = await makeDirectory(address)
      await dropFrom(directory)
      return new StagedRecords(directory, crypto.randomUUID().replaceAll('-', ''))
    } catch {
      // Without a file system that works, the records go into the database alone.
      return undefined
    }
  }

  /** Writes all records. If it fails, nothing was written. */
  async write(batches: AsyncIterable<StagedPortion>): Promise<void> {
    const text = segmentParts(firstOf(this.journal), linesOf(batches))
    await writeFile(this.#directory, stagedNameOf(this.journal), text)
  }
}

/** Makes a staged file the first of its journal, if there is one. */
export async function publishStaged(address: string, journal: string): Promise<void> {
  const directory = await findDirectory(address)
  if (directory) await renameFile(directory, stagedNameOf(journal), fileNameOf(firstOf(journal)))
}

/**
 * Deletes what an import that never ended left among an account's files, and the folder if there is nothing else. Never
 * fails: nothing reads it.
 */
export async function dropStaged(address: string): Promise<void> {
  const directory = await findDirectory(address).catch(() => undefined)
  const isEmpty = directory && (await dropFrom(directory).catch(() => false))
  if (isEmpty) await removeMirror(address).catch(() => undefined)
}

/** @returns whether the directory is empty after that */
async function dropFrom(directory: FileSystemDirectoryHandle): Promise<boolean> {
  let isEmpty = true
  for await (const [name] of directory.entries()) {
    if (/^[0-9a-z]{1,64}\.staged$/.test(name)) await removeFile(directory, name)
    else isEmpty = false
  }
  return isEmpty
}

/** The name of a new journal's first file until the database says that it belongs to an account. */
function stagedNameOf(journal: string): string {
  return `${journal}.staged`
}

const firstOf = (journal: string) => ({ journal, first: 0, last: 0 })

/** What not every browser's file handles have. */
interface Movable {
  move?(name: string): Promise<void>
}

/** Whether files can be renamed here, which takes the same time for any file. */
function canRename(): boolean {
  const { FileSystemFileHandle: File } = globalThis
  return File === undefined || 'move' in File.prototype
}

/** Renames a file, if it exists. */
async function renameFile(directory: FileSystemDirectoryHandle, from: string, to: string): Promise<void> {
  try {
    const handle: FileSystemFileHandle & Movable = await inTime(directory.getFileHandle(from))
    if (!handle.move) throw new Error('This browser renames no files')
    await inTime(handle.move(to))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

async function* linesOf(batches: AsyncIterable<StagedPortion>): AsyncGenerator<string> {
  for await (const batch of batches) {
    for (const store of ['tokens', 'sessions', 'metadata'] as const) {
      for (const record of batch[store] ?? []) {
        const line = putLine(keyOf(store, record.id), record)
        if (line !== undefined) yield line
      }
    }
  }
}
