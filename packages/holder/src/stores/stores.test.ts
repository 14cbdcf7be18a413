import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { makeKeyText, readKeyText } from '../identity/key-text.ts'
import { environmentStore } from './environment-store.ts'
import { fileStore, holderFolder } from './file-store.ts'
import { indexedDbStore } from './indexed-db-store.ts'
import { memoryStore } from './memory-store.ts'
import { holdsAsStore } from './store.contract.ts'

const folders: string[] = []
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'keyhole-holder-'))
  folders.push(made)
  return join(made, 'data')
}
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true }))))
afterEach(() => {
  vi.unstubAllGlobals()
})

holdsAsStore('memory', () => ({ open: () => memoryStore(), isShared: false }))
holdsAsStore('files', async () => {
  const at = await folder()
  return { open: () => fileStore(at), isShared: true }
})
holdsAsStore('IndexedDB', () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  return { open: () => indexedDbStore(), isShared: true }
})
holdsAsStore('the environment', () => {
  const env = { KEYHOLE_KEY: makeKeyText(), KEYHOLE_TOKENS: 'Cgiven,\n Calso' }
  return { open: () => environmentStore(env), isShared: false }
})

describe('the text of a key', () => {
  it('always gives the same key, and no other text does', async () => {
    const text = makeKeyText(() => new Uint8Array(32).fill(7))
    const [one, other] = await Promise.all([readKeyText(text), readKeyText(` ${text}\n`)])
    expect(one.publicKey).toEqual(other.publicKey)
    for (const wrong of ['', text.slice(0, -1), `${text}A`, text.toUpperCase(), text.replace('1.', '2.')]) {
      const error = await readKeyText(wrong).catch((reason) => reason)
      expect(error).toMatchObject({ code: 'NoKey' })
      // A key's text must not appear in a log.
      expect(String(error.message)).not.toContain(text.slice(20, 40))
    }
  })
})

describe('files', () => {
  it('can only be accessed by their owner', async () => {
    const at = await folder()
    const store = fileStore(at)
    await store.key()
    await store.keep('bafy', 'Ctoken')
    expect((await stat(at)).mode & 0o777).toBe(0o700)
    expect(await readdir(at)).toEqual(['bafy.token', 'key'])
    for (const name of await readdir(at)) expect((await stat(join(at, name))).mode & 0o777, name).toBe(0o600)
    expect(await readFile(join(at, 'key'), 'utf8')).toMatch(/^keyhole-key-1\.[\w-]{43}$/)
  })

  it('with a key that others can read are refused, by name', async () => {
    const at = await folder()
    await fileStore(at).key()
    await chmod(join(at, 'key'), 0o640)
    await expect(fileStore(at).key()).rejects.toMatchObject({ code: 'KeyExposed' })
  })

  it('with a damaged key are refused, and left as they are', async () => {
    const at = await folder()
    await fileStore(at).key()
    await writeFile(join(at, 'key'), '', { mode: 0o600 })
    await expect(fileStore(at).key()).rejects.toMatchObject({ code: 'NoKey' })
    expect(await readFile(join(at, 'key'), 'utf8')).toBe('')
  })

  it('that cannot be written are reported', async () => {
    const at = join(await folder(), 'a file', 'in the way')
    await fileStore(join(at, '..', '..')).key()
    await writeFile(join(at, '..'), '')
    await expect(fileStore(at).key()).rejects.toMatchObject({ code: 'StoreFailed' })
    await expect(fileStore(at).keep('a', 'C')).rejects.toMatchObject({ code: 'StoreFailed' })
  })

  it('leave nothing behind from keys that came too late', async () => {
    const at = await folder()
    await Promise.all(Array.from({ length: 8 }, () => fileStore(at).key()))
    expect(await readdir(at)).toEqual(['key'])
  })

  it('are in the folder for a user’s data', () => {
    expect(holderFolder({ XDG_DATA_HOME: '/data' })).toBe('/data/keyhole/holder')
    expect(holderFolder({})).toMatch(/\/\.local\/share\/keyhole\/holder$/)
    expect(holderFolder({ HOME: '/home/me', XDG_DATA_HOME: 'data' })).toBe(
      '/home/me/.local/share/keyhole/holder',
    )
    // Never below the current folder.
    for (const HOME of ['', '.', 'home']) expect(holderFolder({ HOME, XDG_DATA_HOME: 'data' })).toMatch(/^\//)
  })
})

describe('IndexedDB', () => {
  it('that cannot be opened is reported', async () => {
    vi.stubGlobal('indexedDB', undefined)
    await expect(indexedDbStore().key()).rejects.toMatchObject({ code: 'StoreFailed' })
    await expect(indexedDbStore().tokens()).rejects.toMatchObject({ code: 'StoreFailed' })
  })
})

describe('the environment', () => {
  it('gives its grants, and no key if it has none', async () => {
    const store = environmentStore({ KEYHOLE_TOKENS: 'Cgiven, Calso' })
    expect(await store.tokens()).toEqual(['Cgiven', 'Calso'])
    await expect(store.key()).rejects.toMatchObject({ code: 'NoKey' })
  })

  it('names the variable whose text is not a key, and does not repeat the text', async () => {
    const reading = environmentStore({ KEYHOLE_KEY: 'not-a-key' }).key()
    const message = expect.stringMatching(/^KEYHOLE_KEY(?!.*not-a-key)/)
    await expect(reading).rejects.toMatchObject({ code: 'NoKey', message })
  })
})
