// For Node, Bun and Deno: a folder with a file for the key, and one for each grant.
import { link, mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { HolderError } from '../errors.ts'
import type { HolderKey } from '../identity/holder-key.ts'
import { makeKeyText, readKeyText } from '../identity/key-text.ts'
import type { HolderStore } from './store.ts'

const KEY = 'key'
const TOKEN = /^[\w-]+\.token$/

/**
 * The default folder for a user's holder (XDG Base Directory Specification, which ignores a relative path). Never one below
 * the current folder: others may read that, or it is published.
 * @throws HolderError StoreFailed if this user has no folder
 */
export function holderFolder(env: NodeJS.ProcessEnv = process.env): string {
  const named = process.platform === 'win32' ? env.LOCALAPPDATA : env.XDG_DATA_HOME
  const data = named && isAbsolute(named) ? named : join(homeFolder(env), '.local', 'share')
  return join(data, 'keyhole', 'holder')
}

function homeFolder({ HOME = '' }: NodeJS.ProcessEnv): string {
  for (const find of [() => HOME, homedir, () => userInfo().homedir]) {
    try {
      const found = find()
      if (isAbsolute(found)) return found
    } catch {
      // The system knows no such user, as in some containers.
    }
  }
  throw new HolderError('StoreFailed', 'There is no home folder for the key. Set XDG_DATA_HOME.')
}

/**
 * A store in a folder. Only its owner can access the folder and its files (modes 0700 and 0600); a key that others can
 * read is refused.
 * @param folder default: {@link holderFolder}
 */
export function fileStore(folder: string = holderFolder()): HolderStore {
  const at = (name: string) => join(folder, name)
  let key: Promise<HolderKey> | undefined

  async function readKey(): Promise<HolderKey | undefined> {
    const path = at(KEY)
    const handle = await open(path, 'r').catch(ignore('ENOENT'))
    if (!handle) return undefined
    try {
      const { mode } = await handle.stat()
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
        const message = `Others on this machine can read ${path}. Make a new key or, if no one has read it: chmod 600 '${path}'`
        throw new HolderError('KeyExposed', message)
      }
      return await readKeyText(await handle.readFile('utf8'))
    } finally {
      await handle.close()
    }
  }

  /** Writes a file completely or not at all; `put` gives it its name. */
  async function write(name: string, text: string, put: (from: string, to: string) => Promise<void>) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = at(`.${name}.${crypto.randomUUID()}`)
    const file = await open(draft, 'wx', 0o600)
    try {
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await put(draft, at(name))
    } catch (error) {
      // On a full disk, each try would leave a part of a file.
      await unlink(draft).catch(() => {})
      throw error
    }
    await syncFolder(folder)
  }

  async function makeOrRead(): Promise<HolderKey> {
    const found = await readKey()
    if (found) return found
    // Linking fails if the file exists: of several processes one creates the key, and all read it.
    await write(KEY, makeKeyText(), async (from, to) => {
      await link(from, to).catch(ignore('EEXIST'))
      await unlink(from)
    })
    const made = await readKey()
    if (!made) throw new Error(`${at(KEY)} is not there after it was written.`)
    return made
  }

  return {
    key() {
      key ??= failing(folder, makeOrRead()).catch((error) => {
        key = undefined
        throw error
      })
      return key
    },
    tokens: () =>
      failing(
        folder,
        (async () => {
          const names = (await readdir(folder).catch(ignore('ENOENT'))) ?? []
          const texts = names
            .filter((name) => TOKEN.test(name))
            .map((name) => readFile(at(name), 'utf8').catch(ignore('ENOENT')))
          return (await Promise.all(texts)).filter((text) => text !== undefined)
        })(),
      ),
    keep: (id, text) => failing(folder, write(`${id}.token`, text, rename)),
    remove: (id) =>
      failing(
        folder,
        unlink(at(`${id}.token`)).catch((error) => void ignore('ENOENT')(error)),
      ),
  }
}

/** Ignores one kind of error. */
const ignore =
  (code: string) =>
  (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined
    throw error
  }

/** Makes sure that new directory entries reach the disk, if the system supports it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function failing<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof HolderError) throw cause
    throw new HolderError('StoreFailed', `The folder ${folder} can't be read or written.`, { cause })
  }
}
