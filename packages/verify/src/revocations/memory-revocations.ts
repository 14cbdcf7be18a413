import { RevocationIndex } from './revocation-index.ts'
import type { RevocationStore } from './revocation-source.ts'
import { MOST_CHARACTERS, RevocationSpace } from './revocation-space.ts'

/**
 * Revocations in memory. When the process ends, revoked grants work again: use it for tests, or if something delivers
 * them after each start.
 * @param options.most characters of all revocations together. Those that owners sign can use all of them, all others
 *   half, and those of one quota 1/64.
 */
export function memoryRevocations({
  most = MOST_CHARACTERS,
}: {
  readonly most?: number
} = {}): RevocationStore {
  const index = new RevocationIndex()
  const known = new Set<string>()
  const space = new RevocationSpace(most)
  return {
    add({ cid, revokes, by, revocation, quota }) {
      if (known.has(cid)) return true
      if (!space.fits(revocation.length, quota)) return false
      space.use(revocation.length, quota)
      known.add(cid)
      index.add({ revokes, by, revocation })
      return true
    },
    find: (_subject, chain) => index.find(chain),
  }
}
