// The grants in a store, each checked once.
import { findChain, leafOf } from '../chain/chain.ts'
import type { Timing } from '../chain/path.ts'
import { Budget } from '../codec/work-budget.ts'
import { HolderError, refuse } from '../errors.ts'
import type { HolderStore } from '../stores/store.ts'
import { delegationsOf, readTokens } from '../token/read.ts'
import { type HeldGrant, hold } from './grant.ts'
import { checkSignatures, type Resolve } from './signed.ts'

/** Maximum number of grants per holder. */
export const MAX_GRANTS = 1_024

/**
 * Reads a store's grants.
 * @param now in seconds since 1970
 */
export function heldGrants(
  store: HolderStore,
  did: () => Promise<string>,
  now: () => number,
  resolve: Resolve | undefined,
) {
  /** Results by text. */
  const read = new Map<string, Promise<HeldGrant | HolderError>>()

  async function check(
    from: string | Uint8Array,
    named: string | undefined,
    timing: Timing,
  ): Promise<HeldGrant> {
    const budget = new Budget()
    const clock = { now: now(), skew: 0, timing }
    const delegations = delegationsOf(await readTokens(from, budget))
    const path = await findChain(
      delegations,
      named,
      clock,
      (tokens) => checkSignatures(tokens, resolve, budget),
      budget,
    )
    const { aud, cid } = leafOf(path)
    const own = await did()
    if (aud !== own)
      refuse('InvalidAudience', `This grant is made out to ${aud}. This holder is ${own}.`, { cid })
    return await hold(path, budget)
  }

  /** All texts in the store now, even from other processes. One that can't be used is its error. */
  async function all(): Promise<(HeldGrant | HolderError)[]> {
    const texts = await store.tokens()
    for (const text of read.keys()) if (!texts.includes(text)) read.delete(text)
    for (const text of texts) {
      if (read.has(text)) continue
      // A grant that was valid when it was stored stays listed after it expires.
      const checking = check(text, undefined, 'whenever').catch((error) => {
        if (error instanceof HolderError) return error
        read.delete(text)
        throw error
      })
      read.set(text, checking)
    }
    return await Promise.all(read.values())
  }

  return {
    all,
    /** Checks a text and stores its chain. @throws HolderError as `Holder.add` */
    async add(from: string | Uint8Array, leaf: string | undefined): Promise<HeldGrant> {
      const checked = await check(from, leaf, 'nowOrLater')
      const kept = await all()
      if (kept.length >= MAX_GRANTS && !kept.some(({ cid }) => cid === checked.cid))
        refuse('TooManyGrants', `This holder has ${MAX_GRANTS} grants. Remove some first.`)
      await store.keep(checked.cid, checked.text)
      return checked
    },
  }
}
