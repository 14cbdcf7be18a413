import type { HolderKey } from '../identity/holder-key.ts'

/**
 * Where a holder stores its key and its grants. Several holders, tabs or processes may share a store: each sees what
 * the others add. If it fails, it rejects with a `HolderError` with the code `StoreFailed`.
 */
export interface HolderStore {
  /** The key, created if missing. Callers never get different keys. */
  key(): Promise<HolderKey>
  /** The texts of all grants, in any order. */
  tokens(): Promise<readonly string[]>
  /** Stores a grant's text under its id, replacing any existing one. */
  keep(id: string, text: string): Promise<void>
  /** Removes a grant, if it exists. */
  remove(id: string): Promise<void>
}
