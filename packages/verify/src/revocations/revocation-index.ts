import type { Link } from './revocation-source.ts'

/** A revocation, and what decides whether it can have an effect. */
export interface IndexedRevocation {
  /** CID of the revoked delegation. */
  readonly revokes: string
  /** DIDs of its issuer and its subject; undefined if they are not known. */
  readonly by: readonly string[] | undefined
  /** The revocation with its proofs, as token text. */
  readonly revocation: string
}

/** The key of those whose issuer and subject are not known. */
const UNKNOWN = ''

/**
 * Finds the revocations that can have an effect on a chain (097). However many strangers revoke a delegation, looking
 * up a chain only costs as much as the chain is long.
 */
export class RevocationIndex {
  /** By the revoked delegation, then by each DID of `by`. */
  readonly #known = new Map<string, Map<string, Set<string>>>()

  /** Whether it is there, for each DID of `by`. */
  has({ revokes, by = [UNKNOWN], revocation }: IndexedRevocation): boolean {
    const known = this.#known.get(revokes)
    return by.every((did) => known?.get(did)?.has(revocation))
  }

  /** @returns false if it was there */
  add({ revokes, by = [UNKNOWN], revocation }: IndexedRevocation): boolean {
    const known = this.#known.get(revokes) ?? new Map<string, Set<string>>()
    this.#known.set(revokes, known)
    let isNew = false
    for (const did of by) {
      const texts = known.get(did) ?? new Set<string>()
      if (texts.has(revocation)) continue
      isNew = true
      known.set(did, texts.add(revocation))
    }
    return isNew
  }

  /** Revocations by those who issued the revoked delegation or one above it. @param chain root first */
  find(chain: readonly Link[]): readonly string[] {
    const issuers = new Set([UNKNOWN])
    const found = new Set<string>()
    for (const { cid, issuer } of chain) {
      issuers.add(issuer)
      const known = this.#known.get(cid)
      if (!known) continue
      for (const did of issuers) for (const text of known.get(did) ?? []) found.add(text)
    }
    return [...found]
  }
}
