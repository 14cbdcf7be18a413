/**
 * A revocation: its own CID, the CID of the delegation it revokes, the DID on whose authority (its subject), and its text.
 *
 * @typedef {{cid: string, revokes: string, by: string, token: string}} Revocation
 */

/**
 * Remembers revocations, those too whose delegation has not been seen yet. What each implementation has to hold is in
 * `revocation-store.contract.js`.
 *
 * @typedef {object} RevocationStore
 * @property {(revocation: Revocation) => boolean | Promise<boolean>} add Remembers one; of two by the same DID about the
 * same delegation one is enough. False where there is no room for it.
 * @property {(cids: readonly string[]) => readonly Revocation[] | Promise<readonly Revocation[]>} about Those that revoke
 * one of these delegations.
 * @property {(cid: string, after: number) => void | Promise<void>} mayForget The delegation has been seen: once `after`, in
 * seconds since 1970, has passed it can no longer be used, and its revocations may be forgotten. Without this they never are.
 */

/** Characters of token text remembered at most. */
const MOST = 64 * 1024 * 1024

/**
 * A revocation store in memory: of one process, and empty after a restart. A real one is on a disk: what was revoked once
 * must be revoked after the restart too.
 *
 * @implements {RevocationStore}
 */
export class MemoryRevocationStore {
  /** @type {Map<string, Map<string, Revocation>>} By the delegation, then by whom. */
  #revocations = new Map()
  /** @type {Map<string, number>} */
  #forgetAfter = new Map()
  #length = 0
  #now
  #most

  /** @param {() => number} now the time, in whole seconds since 1970 @param {number} [most] characters of token text */
  constructor(now, most = MOST) {
    this.#now = now
    this.#most = most
  }

  /** @param {Revocation} revocation @returns {boolean} */
  add(revocation) {
    const known = this.#revocations.get(revocation.revokes) ?? new Map()
    if (known.has(revocation.by)) return true
    const length = this.#length + revocation.token.length
    if (length > this.#most) return this.#forget() && this.add(revocation)
    this.#revocations.set(revocation.revokes, known.set(revocation.by, revocation))
    this.#length = length
    return true
  }

  /** @param {readonly string[]} cids @returns {Revocation[]} */
  about(cids) {
    return cids.flatMap((cid) => [...(this.#revocations.get(cid)?.values() ?? [])])
  }

  /** @param {string} cid @param {number} after */
  mayForget(cid, after) {
    if (this.#revocations.has(cid)) this.#forgetAfter.set(cid, after)
  }

  /** @returns {boolean} whether there was anything to forget */
  #forget() {
    const now = this.#now()
    const before = this.#length
    for (const [cid, after] of this.#forgetAfter) {
      if (after >= now) continue
      this.#forgetAfter.delete(cid)
      for (const { token } of this.about([cid])) this.#length -= token.length
      this.#revocations.delete(cid)
    }
    return this.#length < before
  }
}
