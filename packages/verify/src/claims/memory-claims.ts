import { VerifyError } from '../errors.ts'
import type { ClaimStore } from './claim-store.ts'

/**
 * Claims of one process. After a restart every invocation that hasn't expired can be used again.
 * @param options.most how many claims are remembered; a claim beyond that fails
 */
export function memoryClaims({ most = 1_000_000 }: { readonly most?: number } = {}): ClaimStore {
  const claims = new Set<string>()
  const ends = new Map<number, string[]>()
  /** Claims up to this time were deleted. Setting the clock back must not make them usable. */
  let deletedUntil = Number.NEGATIVE_INFINITY
  let deletedAt = Number.NaN
  let isClosed = false

  function deleteExpired(now: number): void {
    if (now === deletedAt) return
    deletedAt = now
    for (const [until, cids] of ends) {
      if (until >= now) continue
      for (const cid of cids) claims.delete(cid)
      ends.delete(until)
      deletedUntil = Math.max(deletedUntil, until)
    }
  }

  return {
    async claim(cid, until, now) {
      if (isClosed) throw new VerifyError('STORE_FAILED', 'The store of used invocations was closed.')
      deleteExpired(now)
      if (until < now || until <= deletedUntil || claims.has(cid)) return false
      if (claims.size >= most)
        throw new VerifyError('STORE_FAILED', `There are ${most} used invocations to remember already.`)
      claims.add(cid)
      const same = ends.get(until)
      if (same) same.push(cid)
      else ends.set(until, [cid])
      return true
    },
    async close() {
      isClosed = true
    },
  }
}
