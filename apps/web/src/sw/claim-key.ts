// The key under which claims are kept: of this profile alone, random, and one that no script can read out.

const DATABASE = 'keyhole-claims'
const STORE = 'keys'
const ID = 'claims'

/** @throws DOMException what the browser's storage failed with */
function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return await settled(request)
}

/**
 * The key (HMAC-SHA-256) of this profile, made where there is none.
 *
 * @throws DOMException where the browser's storage does not tell: nothing can be claimed then
 */
export async function claimKey(): Promise<CryptoKey> {
  const fresh = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const database = await open()
  try {
    const store = database.transaction(STORE, 'readwrite', { durability: 'strict' }).objectStore(STORE)
    const stored: unknown = await settled(store.get(ID))
    if (stored instanceof CryptoKey) return stored
    await settled(store.put(fresh, ID))
    return fresh
  } finally {
    database.close()
  }
}
