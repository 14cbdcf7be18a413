/** Whether the browser keeps this site's storage: yes, only after asking the person, or no. */
export type PersistenceState = 'persisted' | 'prompt' | 'never'

function storageManager(): StorageManager | undefined {
  return globalThis.navigator?.storage
}

/** Only logged: a vault works without the promise, and the person can see that it's missing. */
function logFailure(error: unknown): void {
  console.warn('Persistent storage could not be requested:', error)
}

/** Asks the browser never to evict this site's storage; false if it refuses, can't, or fails (which is logged). */
export async function requestPersistentStorage(): Promise<boolean> {
  const storage = storageManager()
  if (typeof storage?.persist !== 'function') return false
  try {
    return (await storage.persisted()) || (await storage.persist())
  } catch (error) {
    logFailure(error)
    return false
  }
}

/**
 * Makes storage persistent if that needs no prompt: it already is, or the permission was granted. Returns `prompt` if
 * the person would be asked, so that the page can choose when. Never throws; a failure is logged.
 */
export async function tryPersistWithoutPromptingUser(): Promise<PersistenceState> {
  const storage = storageManager()
  if (typeof storage?.persisted !== 'function') return 'never'
  try {
    if (await storage.persisted()) return 'persisted'
    const permissions = globalThis.navigator.permissions
    if (typeof permissions?.query !== 'function') return 'prompt'
    const { state } = await permissions.query({ name: 'persistent-storage' })
    if (state === 'prompt') return 'prompt'
    return state === 'granted' && (await storage.persist()) ? 'persisted' : 'never'
  } catch (error) {
    logFailure(error)
    return 'never'
  }
}

/** Bytes used and allowed, estimated by the browser; undefined if it doesn't say. */
export async function getStorageEstimate(): Promise<{ usage: number; quota: number } | undefined> {
  const storage = storageManager()
  if (typeof storage?.estimate !== 'function') return undefined
  const { usage, quota } = await storage.estimate()
  return usage === undefined || quota === undefined ? undefined : { usage, quota }
}
