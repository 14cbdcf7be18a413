import 'fake-indexeddb/auto'
import { afterEach, beforeEach, vi } from 'vitest'

/** A localStorage, because Node has none. */
export class MemoryStorage {
  readonly items = new Map<string, string>()

  getItem(key: string): string | null {
    return this.items.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.items.set(key, value)
  }

  removeItem(key: string): void {
    this.items.delete(key)
  }
}

/** Every test starts with empty storage, like a fresh browser profile. */
export function freshBrowser(): void {
  beforeEach(() => {
    vi.stubGlobal('localStorage', new MemoryStorage())
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.useRealTimers()
    for (const { name } of await indexedDB.databases())
      if (name) await settled(indexedDB.deleteDatabase(name))
  })
}

export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Opens an account's database directly, as another program on the machine would. */
export async function rawDatabase<T>(address: string, work: (db: IDBDatabase) => Promise<T>): Promise<T> {
  const db = await settled(indexedDB.open(`vault_${address}`))
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

export function rawPut(address: string, store: string, record: object): Promise<void> {
  return rawDatabase(address, async (db) => {
    await settled(db.transaction(store, 'readwrite').objectStore(store).put(record))
  })
}

export function rawAll(address: string, store: string): Promise<unknown[]> {
  return rawDatabase(address, (db) => settled(db.transaction(store).objectStore(store).getAll()))
}

/** Every record of every database, as text: what someone who steals the disk can read. */
export async function dumpDisk(): Promise<string> {
  const dump: unknown[] = []
  for (const { name } of await indexedDB.databases()) {
    if (!name) continue
    const db = await settled(indexedDB.open(name))
    for (const store of db.objectStoreNames) {
      dump.push(store, await settled(db.transaction(store).objectStore(store).getAll()))
    }
    db.close()
  }
  return JSON.stringify(dump, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** From now on, every write to these stores fails because the disk is full. @returns undoes it */
export function fillDisk(...stores: string[]): () => void {
  const full = () => new DOMException('The disk is full.', 'QuotaExceededError')
  const { put, add } = IDBObjectStore.prototype
  const put_ = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...args
  ) {
    if (stores.includes(this.name)) throw full()
    return put.apply(this, args)
  })
  const add_ = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (
    this: IDBObjectStore,
    ...args
  ) {
    if (stores.includes(this.name)) throw full()
    return add.apply(this, args)
  })
  return () => {
    put_.mockRestore()
    add_.mockRestore()
  }
}
