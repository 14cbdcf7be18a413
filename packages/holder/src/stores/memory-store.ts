import { type HolderKey, makeKey } from '../identity/holder-key.ts'
import type { HolderStore } from './store.ts'

/**
 * A store that lasts as long as the process or the page.
 * @param key the holder's key; without one it creates one that can't be read out
 */
export function memoryStore(key?: HolderKey): HolderStore {
  const texts = new Map<string, string>()
  let made = key && Promise.resolve(key)
  return {
    key() {
      made ??= makeKey()
      return made
    },
    async tokens() {
      return [...texts.values()]
    },
    async keep(id, text) {
      texts.set(id, text)
    },
    async remove(id) {
      texts.delete(id)
    },
  }
}
