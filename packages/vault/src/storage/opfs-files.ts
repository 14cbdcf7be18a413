import { joinedBytes } from '../base/bytes.ts'
import { MIRROR_FOLDER } from './storage-names.ts'

/** How long the file system may take per file, in milliseconds, before the mirror gives up for now. */
const PATIENCE = 10_000

/** What didn't answer in time. It may still be there, and whole. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/**
 * Settles as `work` does, or rejects after a timeout: a file system that hangs must not block saves.
 * @throws NoAnswer
 */
export async function inTime<T>(work: Promise<T>, ms = PATIENCE): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`it did not answer within ${ms / 1000} seconds`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether there is a file system for the mirror. Node has none, and in some browsers pages can't write to it. */
export function hasMirror(): boolean {
  const { FileSystemFileHandle: File, navigator } = globalThis
  if (typeof navigator?.storage?.getDirectory !== 'function') return false
  return File === undefined || 'createWritable' in File.prototype
}

/** Whether an error says that a file or directory isn't there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotFoundError'
}

/** The directory of all mirrors, if it exists. */
async function root(create: boolean): Promise<FileSystemDirectoryHandle | undefined> {
  if (!hasMirror()) throw new Error('This browser has no private file system')
  const top = await globalThis.navigator.storage.getDirectory()
  return await child(top, MIRROR_FOLDER, create)
}

async function child(
  parent: FileSystemDirectoryHandle,
  name: string,
  create: boolean,
): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await parent.getDirectoryHandle(name, { create })
  } catch (error) {
    if (!create && isMissing(error)) return undefined
    throw error
  }
}

/** An address as a directory name. Letters and digits stay, so that a person can recognize it. */
const nameOf = (address: string) => encodeURIComponent(address).replaceAll('.', '%2E')

/** The directory of an account's mirror, created if missing. @throws Error if there is no file system, or it fails */
export async function makeDirectory(address: string): Promise<FileSystemDirectoryHandle> {
  const directory = await inTime(
    root(true).then((all) => (all ? child(all, nameOf(address), true) : undefined)),
  )
  if (!directory) throw new Error('The directory could not be made')
  return directory
}

/** The directory of an account's mirror, if it has one. @throws Error as `makeDirectory` */
export async function findDirectory(address: string): Promise<FileSystemDirectoryHandle | undefined> {
  return await inTime(root(false).then((all) => (all ? child(all, nameOf(address), false) : undefined)))
}

/** The addresses with a directory; empty if there is no file system, or it fails. */
export async function listDirectories(): Promise<string[]> {
  if (!hasMirror()) return []
  try {
    return await inTime(
      (async () => {
        const all = await root(false)
        const addresses: string[] = []
        if (all) {
          for await (const [name, handle] of all.entries()) {
            if (handle.kind === 'directory') addresses.push(decodeURIComponent(name))
          }
        }
        return addresses
      })(),
    )
  } catch {
    // Storage health reports the missing mirror, and the canary also knows about lost accounts.
    return []
  }
}

/** Deletes an account's mirror and everything in it. */
export async function removeDirectory(address: string): Promise<void> {
  if (!hasMirror()) return
  const all = await inTime(root(false))
  try {
    await inTime(all?.removeEntry(nameOf(address), { recursive: true }) ?? Promise.resolve())
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** A file; undefined if there is none, or only the empty one that a write starts with. */
export async function openFile(
  directory: FileSystemDirectoryHandle,
  name: string,
): Promise<File | undefined> {
  try {
    const handle = await inTime(directory.getFileHandle(name))
    const file = await inTime(handle.getFile())
    return file.size === 0 ? undefined : file
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** A file's bytes; undefined if `openFile` finds none. */
export async function readFile(
  directory: FileSystemDirectoryHandle,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = await openFile(directory, name)
  return file && new Uint8Array(await inTime(file.arrayBuffer()))
}

/** A file's contents in parts: text, or its bytes. */
export type FileParts = AsyncIterable<FilePart> | Iterable<FilePart>
export type FilePart = string | Uint8Array<ArrayBuffer>

/**
 * Writes a file atomically: readers see the previous file until the end, and still do after a failure.
 * @param parts its contents, generated while writing, so that they're never in memory as a whole
 */
export async function writeFile(
  directory: FileSystemDirectoryHandle,
  name: string,
  parts: FileParts,
): Promise<void> {
  const handle = await inTime(directory.getFileHandle(name, { create: true }))
  const file = await inTime(handle.createWritable())
  try {
    let writing: Promise<void> = Promise.resolve()
    for await (const bytes of inPieces(parts)) {
      await writing
      // The next piece is made meanwhile. Making it may fail first.
      writing = inTime(file.write(bytes))
      writing.catch(() => undefined)
    }
    await writing
    await inTime(file.close())
  } catch (error) {
    // Not awaited: if closing hung, this may hang too.
    file.abort().catch(() => undefined)
    throw error
  }
}

/** Bytes written at a time: each write is a round trip to the browser's own process. */
const PIECE = 256 * 1024

const encoder = new TextEncoder()

/** Short parts together, long ones alone. */
async function* inPieces(parts: FileParts): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const part of parts) {
    const bytes = typeof part === 'string' ? encoder.encode(part) : part
    waiting.push(bytes)
    size += bytes.length
    if (size < PIECE) continue
    yield joinedBytes(waiting, size)
    waiting = []
    size = 0
  }
  if (size > 0) yield joinedBytes(waiting, size)
}

/** Deletes a file, if it exists. */
export async function removeFile(directory: FileSystemDirectoryHandle, name: string): Promise<void> {
  try {
    await inTime(directory.removeEntry(name))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
