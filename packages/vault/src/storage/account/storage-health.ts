import type { MirrorHealth } from '../mirror/mirror-writer.ts'
import { hasMirror } from '../opfs-files.ts'
import { getStorageEstimate } from '../persistence.ts'
import type { OpenStorage } from './account-storage.ts'

/** How safely this browser stores the open account. */
export interface StorageHealth extends MirrorHealth {
  /** Whether the browser has promised never to evict this site's storage. */
  readonly persisted: boolean
  /** Bytes used and allowed, estimated by the browser. */
  readonly usage?: number
  readonly quota?: number
}

/** @param storage the open account's database, if any */
export async function readStorageHealth(storage: OpenStorage | undefined): Promise<StorageHealth> {
  const [persisted, estimate, mirror] = await Promise.all([
    isPersisted(),
    getStorageEstimate().catch(() => undefined),
    storage ? storage.mirrorHealth() : noMirror(),
  ])
  return { persisted, ...estimate, ...mirror }
}

/** Why nothing is copied while no account is open. */
function noMirror(): MirrorHealth {
  return { mirror: 'unavailable', why: hasMirror() ? 'closed' : 'unsupported' }
}

async function isPersisted(): Promise<boolean> {
  try {
    return (await globalThis.navigator?.storage?.persisted?.()) ?? false
  } catch {
    return false
  }
}
