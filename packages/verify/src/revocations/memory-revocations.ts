import { RevocationIndex } from './revocation-index.ts'
import type { RevocationStore } from './revocation-source.ts'

/** Characters of revocations kept in total. */
const MOST = 64 << 20
/** One share of this many is for all quotas together, and for each of them. */
const ALL_QUOTAS = 2
const EACH_QUOTA = 64

/**
 * Revocations in memory. When the process ends, revoked grants work again: use it for tests, or if something delivers
 * them after each start.
 * @param options.most characters of all revocations together. Those that owners sign can use all of them, all others
 *   half, and those of one quota 1/64.
 */
export function memoryRevocations({ most = MOST }: { readonly most?: number } = {}): RevocationStore {
  const index = new RevocationIndex()
  const known = new Set<string>()
  /** Characters of each quota. */
  const used = new Map<string, number>()
  let length = 0
  let lengthOfQuotas = 0
  return {
    add({ cid, revokes, by, revocation, quota }) {
      if (known.has(cid)) return true
      if (length + revocation.length > most) return false
      if (quota !== undefined) {
        const own = (used.get(quota) ?? 0) + revocation.length
        const all = lengthOfQuotas + revocation.length
        if (own > most / EACH_QUOTA || all > most / ALL_QUOTAS) return false
        used.set(quota, own)
        lengthOfQuotas = all
      }
      length += revocation.length
      known.add(cid)
      index.add({ revokes, by, revocation })
      return true
    },
    find: (_subject, chain) => index.find(chain),
  }
}
