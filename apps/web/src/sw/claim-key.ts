// The key for stored claims: random, only for this profile, and not readable by scripts.

const DATABASE = 'keyhole-claims'
const STORE = 'keys'
const ID = 'claims'
/** How long the database may take to open, in milliseconds. A damaged one may never answer. */
const PATIENCE = 5_000

/** @throws DOMException the storage error */
function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** @throws DOMException why nothing was stored */
function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () =>
      reject(transaction.error ?? new DOMException('The key was not stored.', 'AbortError'))
  })
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  const opened = settled(request)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DOMException('The database of claims did not open.', 'TimeoutError'))
      void opened.then(
        (database) => database.close(),
        () => undefined,
      )
    }, PATIENCE)
  })
  try {
    return await Promise.race([opened, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * This profile's key (HMAC-SHA-256). Created if there is none.
 * @throws DOMException if the browser's storage fails or never answers: nothing can be claimed then
 */
export async function claimKey(): Promise<CryptoKey> {
  const fresh = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const database = await open()
  try {
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
    const store = transaction.objectStore(STORE)
    const end = completed(transaction)
    // A failed request reports it first.
    end.catch(() => undefined)
    const stored: unknown = await settled(store.get(ID))
    if (stored instanceof CryptoKey) return stored
    await settled(store.put(fresh, ID))
    // A full disk fails only at the end. If the key isn't stored, the next worker could claim the same request again.
    await end
    return fresh
  } finally {
    database.close()
  }
}
