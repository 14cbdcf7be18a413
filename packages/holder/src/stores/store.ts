import type { HolderKey } from '../identity/holder-key.ts'

/**
 * Where a holder keeps its key and its grants. Several holders, tabs or processes may share one: each sees what the others keep.
 * A store that fails rejects with a `HolderError` of the code `StoreFailed`.
 */
export interface HolderStore {
  /** The key. Where there is none yet it is made, once: no two callers ever get different keys. */
  key(): Promise<HolderKey>
  /** The texts of all grants, in any order. */
  tokens(): Promise<readonly string[]>
  /** Keeps a grant's text under its id, in place of one that is there. */
  keep(id: string, text: string): Promise<void>
  /** Lets go of a grant. One that is not there is no error. */
  remove(id: string): Promise<void>
}
