/**
 * Remembers which invocations were accepted, so that none is accepted twice. What each implementation has to hold is in
 * `replay-store.contract.js`.
 *
 * @typedef {object} ReplayStore
 * @property {(cid: string, dropAfter: number) => boolean | Promise<boolean>} claim Takes an invocation's CID: true for the
 * first to come, false for every other, also for those that come at the same moment. `dropAfter`, in seconds since 1970, is
 * the last moment at which the invocation could be used: the CID is remembered until then and may be forgotten after it. A
 * claim that comes later than its own `dropAfter` is refused.
 */

/**
 * A replay store in memory: of one process, and empty after a restart. Several servers need one they share, with an
 * insertion that fails where the CID is there (`INSERT … ON CONFLICT DO NOTHING`, `SET … NX EXAT`).
 *
 * @implements {ReplayStore}
 */
export class MemoryReplayStore {
  /** @type {Set<string>} */
  #cids = new Set()
  /** @type {Map<number, string[]>} What may be forgotten after each second. */
  #dropAfter = new Map()
  #dropped = 0
  #now

  /** @param {() => number} now the time, in whole seconds since 1970 */
  constructor(now) {
    this.#now = now
  }

  /** How many it remembers. */
  get size() {
    return this.#cids.size
  }

  /** @param {string} cid @param {number} dropAfter @returns {boolean} */
  claim(cid, dropAfter) {
    const now = this.#now()
    this.#drop(now)
    if (dropAfter < now || this.#cids.has(cid)) return false
    this.#cids.add(cid)
    const others = this.#dropAfter.get(dropAfter)
    if (others) others.push(cid)
    else this.#dropAfter.set(dropAfter, [cid])
    return true
  }

  /** @param {number} now */
  #drop(now) {
    if (now === this.#dropped) return
    this.#dropped = now
    for (const [second, cids] of this.#dropAfter) {
      if (second >= now) continue
      this.#dropAfter.delete(second)
      for (const cid of cids) this.#cids.delete(cid)
    }
  }
}
