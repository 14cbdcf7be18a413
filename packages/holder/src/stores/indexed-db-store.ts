import { HolderError } from '../errors.ts'
import { type HolderKey, makeKey } from '../identity/holder-key.ts'
import type { HolderStore } from './store.ts'

const KEYS = 'keys'
const TOKENS = 'tokens'
/** The id of the only key. */
const OWN = 'own'

/**
 * A store in the page's IndexedDB. No script can read the key out.
 * @param name the database's name; a page with several holders uses a different one for each
 */
export function indexedDbStore(name = 'keyhole-holder'): HolderStore {
  /**
   * Runs one transaction, and only keeps the database open that long, so that it doesn't block other tabs. When it
   * resolves, the result is on disk.
   */
  async function within<T>(
    store: string,
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    let database: IDBDatabase | undefined
    try {
      const opening = indexedDB.open(name, 1)
      opening.onupgradeneeded = () => {
        for (const each of [KEYS, TOKENS]) opening.result.createObjectStore(each)
      }
      database = await new Promise<IDBDatabase>((resolve, reject) => {
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      const transaction = database.transaction(store, mode, { durability: 'strict' })
      return await new Promise<T>((resolve, reject) => {
        const request = act(transaction.objectStore(store))
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error ?? request.error)
      })
    } catch (cause) {
      throw new HolderError('StoreFailed', "The browser's storage can't be used for grants.", { cause })
    } finally {
      database?.close()
    }
  }

  const read = (): Promise<HolderKey | undefined> => within(KEYS, 'readonly', (store) => store.get(OWN))

  return {
    async key() {
      const found = await read()
      if (found) return found
      const made = await makeKey()
      // If another tab was faster, its key counts.
      const failed = await within(KEYS, 'readwrite', (store) => store.add(made, OWN)).catch((error) => error)
      const kept = await read()
      if (kept) return kept
      throw failed
    },
    tokens: () => within(TOKENS, 'readonly', (store) => store.getAll()),
    async keep(id, text) {
      await within(TOKENS, 'readwrite', (store) => store.put(text, id))
    },
    async remove(id) {
      await within(TOKENS, 'readwrite', (store) => store.delete(id))
    },
  }
}
