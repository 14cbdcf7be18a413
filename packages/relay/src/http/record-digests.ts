import { createHash } from 'node:crypto'
import type { RelayStore } from '../stores/store.ts'

/** A digest is remembered at every multiple of this, so that few records are read again. */
const STEP = 16
/** Digests that are remembered. Beyond that, the least recently used are forgotten. */
const MOST_REMEMBERED = 50_000
const PAGE = 256

/**
 * Digests of an account's records up to a place (docs/sync.md), by which a device notices if a relay forgot or replaced
 * some.
 */
export class RecordDigests {
  readonly #store: RelayStore
  readonly #known = new Map<string, Buffer>()

  constructor(store: RelayStore) {
    this.#store = store
  }

  /** @returns the digest of the records before a place; undefined if there are fewer */
  async before(account: string, place: number): Promise<Buffer | undefined> {
    const last = place - 1
    // Always reads the last record, to check that it exists.
    let at = Math.max(Math.ceil(last / STEP) - 1, 0) * STEP
    // Beyond the end there is nothing to look for: a caller may name a place as high as a number goes.
    const isNear = at === 0 || this.#known.has(`${account} ${at}`)
    if (!isNear && (await this.#store.recordsFrom(account, last, 1)).length === 0) return undefined
    while (at > 0 && !this.#known.has(`${account} ${at}`)) at -= STEP
    let digest = this.#recall(account, at)
    while (at < last) {
      const records = await this.#store.recordsFrom(account, at + 1, Math.min(PAGE, last - at))
      if (records.length === 0) return undefined
      for (const { record } of records) {
        const id = createHash('sha256').update(record).digest()
        digest = createHash('sha256').update(digest).update(id).digest()
        at += 1
        if (at % STEP === 0) this.#remember(account, at, digest)
      }
    }
    return digest
  }

  #recall(account: string, at: number): Buffer {
    const known = this.#known.get(`${account} ${at}`)
    if (known) this.#remember(account, at, known)
    return known ?? Buffer.alloc(32)
  }

  #remember(account: string, at: number, digest: Buffer): void {
    const key = `${account} ${at}`
    // A map keeps its order of insertion, so the oldest come first.
    this.#known.delete(key)
    this.#known.set(key, digest)
    if (this.#known.size <= MOST_REMEMBERED) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
