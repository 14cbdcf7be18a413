// Stores for Node, Bun and Deno.
import { environmentStore } from './stores/environment-store.ts'
import { fileStore } from './stores/file-store.ts'
import type { HolderStore } from './stores/store.ts'

export { makeKeyText, readKeyText } from './identity/key-text.ts'
export { environmentStore } from './stores/environment-store.ts'
export { fileStore, holderFolder } from './stores/file-store.ts'

/** The store for a command: the environment if `KEYHOLE_KEY` is set, otherwise the user's folder. */
export function defaultStore(env: NodeJS.ProcessEnv = process.env): HolderStore {
  return env.KEYHOLE_KEY ? environmentStore(env) : fileStore()
}
