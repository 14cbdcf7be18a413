import { MIRROR_FOLDER } from './places.ts'

/** How long the file system may take for one file, in milliseconds, before the mirror is given up for the moment. */
const PATIENCE = 10_000

/** Settles as `work` does, or rejects once it has taken too long: a file system that hangs must hold up no save. */
export async function inTime<T>(work: Promise<T>, ms = PATIENCE): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${ms / 1000} seconds`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether this place has a file system for the mirror at all; in Node there is none, and in some browsers pages cannot write to it. */
export function hasMirror(): boolean {
  const { FileSystemFileHandle: File, navigator } = globalThis
  if (typeof navigator?.storage?.getDirectory !== 'function') return false
  return File === undefined || 'createWritable' in File.prototype
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotFoundError'
}

/** The directory of all mirrors; undefined where there is none yet. */
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

/** An address as the name of a directory: letters and digits as they are, so that a person can find it. */
const nameOf = (address: string) => encodeURIComponent(address).replaceAll('.', '%2E')

/** The directory of an account's mirror, made where it is missing. @throws Error where there is no file system, or it fails */
export async function makeDirectory(address: string): Promise<FileSystemDirectoryHandle> {
  const directory = await inTime(
    root(true).then((all) => (all ? child(all, nameOf(address), true) : undefined)),
  )
  if (!directory) throw new Error('The directory could not be made')
  return directory
}

/** The directory of an account's mirror; undefined where it has none. @throws Error as `makeDirectory` */
export async function findDirectory(address: string): Promise<FileSystemDirectoryHandle | undefined> {
  return await inTime(root(false).then((all) => (all ? child(all, nameOf(address), false) : undefined)))
}

/** The addresses that have a directory; none where there is no file system, or it fails. */
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
    // Storage health says that there is no mirror; what it might know of lost accounts, the canary knows too.
    return []
  }
}

/** Deletes an account's mirror with all that is in it. */
export async function removeDirectory(address: string): Promise<void> {
  if (!hasMirror()) return
  const all = await inTime(root(false))
  try {
    await inTime(all?.removeEntry(nameOf(address), { recursive: true }) ?? Promise.resolve())
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** A file; undefined where there is none, or only the empty one that a write begins with. */
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

/** A file's bytes; undefined where `openFile` has none. */
export async function readFile(
  directory: FileSystemDirectoryHandle,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = await openFile(directory, name)
  return file && new Uint8Array(await inTime(file.arrayBuffer()))
}

/**
 * Writes a file as a whole: until the end readers see the file that was there before, and after a failure still do.
 *
 * @param parts what it holds; made while it is written, so that not all of it is in memory at once
 */
export async function writeFile(
  directory: FileSystemDirectoryHandle,
  name: string,
  parts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const handle = await inTime(directory.getFileHandle(name, { create: true }))
  const file = await inTime(handle.createWritable())
  try {
    for await (const part of parts) await inTime(file.write(part))
    await inTime(file.close())
  } catch (error) {
    // Not waited for: where closing hung, this may hang too.
    file.abort().catch(() => undefined)
    throw error
  }
}

/** Deletes a file; one that is not there is as good. */
export async function removeFile(directory: FileSystemDirectoryHandle, name: string): Promise<void> {
  try {
    await inTime(directory.removeEntry(name))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
