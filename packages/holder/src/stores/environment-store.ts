// For continuous integration, where the key and the grants are secrets of the job.
import { HolderError } from '../errors.ts'
import { readKeyText } from '../identity/key-text.ts'
import { memoryStore } from './memory-store.ts'
import type { HolderStore } from './store.ts'

/**
 * A store over two variables: `KEYHOLE_KEY` (`keyhole-key-1.…`), and `KEYHOLE_TOKENS`, grants separated by spaces or
 * commas. What is added later lasts as long as the process.
 */
export function environmentStore(env: NodeJS.ProcessEnv = process.env): HolderStore {
  const added = memoryStore()
  const given = (env.KEYHOLE_TOKENS ?? '').split(/[\s,]+/).filter((text) => text !== '')
  return {
    async key() {
      if (!env.KEYHOLE_KEY) {
        throw new HolderError('NoKey', 'KEYHOLE_KEY is not set. Set it to the text of a private key.')
      }
      return await readKeyText(env.KEYHOLE_KEY).catch((cause) => {
        if (!(cause instanceof HolderError) || cause.code !== 'NoKey') throw cause
        throw new HolderError('NoKey', `KEYHOLE_KEY has no private key in it. ${cause.message}`, { cause })
      })
    },
    tokens: async () => [...given, ...(await added.tokens())],
    keep: added.keep,
    remove: added.remove,
  }
}
