import type { RevocationStore } from './revocation-source.ts'

/** Characters of revocations kept in total. */
const MOST = 64 << 20

/**
 * Revocations in memory. When the process ends, revoked grants work again: use it for tests, or if something delivers
 * them after each start.
 * @param options.most characters of all revocations together
 */
export function memoryRevocations({ most = MOST }: { readonly most?: number } = {}): RevocationStore {
  /** By the delegation, then by the revoker. */
  const known = new Map<string, Map<string, string>>()
  let length = 0
  return {
    add({ revokes, by, revocation }) {
      const same = known.get(revokes) ?? new Map<string, string>()
      if (same.has(by)) return true
      if (length + revocation.length > most) return false
      length += revocation.length
      known.set(revokes, same.set(by, revocation))
      return true
    },
    find: (_subject, cids) => cids.flatMap((cid) => [...(known.get(cid)?.values() ?? [])]),
  }
}
