const NAME = 'keyhole-probe'

/**
 * Whether this browser stores anything for this site: a database is made, written to and deleted again. One that only
 * takes long counts as working: the vault says so itself where it fails later.
 */
export async function probeStorage(): Promise<boolean> {
  try {
    const factory: IDBFactory | undefined = globalThis.indexedDB
    if (!factory) return false
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = factory.open(NAME, 1)
      request.onupgradeneeded = () => request.result.createObjectStore('probe')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    try {
      await new Promise<void>((resolve, reject) => {
        const transaction = database.transaction('probe', 'readwrite')
        transaction.objectStore('probe').put(true, 'here')
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
      })
    } finally {
      database.close()
      factory.deleteDatabase(NAME)
    }
    return true
  } catch {
    return false
  }
}
