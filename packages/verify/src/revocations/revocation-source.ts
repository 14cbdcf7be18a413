import { VerifyError } from '../errors.ts'

/** A delegation of a chain whose signatures were checked. */
export interface Link {
  readonly cid: string
  /** DID of its issuer. */
  readonly issuer: string
}

/** Knows the revocations of grants. */
export interface RevocationSource {
  /**
   * Finds revocations, as token text, of any of these delegations. The verifier checks each one's signature and
   * authority. One whose issuer and subject issued neither the revoked delegation nor one above it has no effect, and
   * should be left out: anyone can make any number of those.
   *
   * @param subject DID of the owner
   * @param chain root first
   * @throws VerifyError REVOCATIONS_UNKNOWN if it can't know
   */
  find(subject: string, chain: readonly Link[]): readonly string[] | Promise<readonly string[]>
}

/** A revocation whose signature and proofs were checked. */
export interface NewRevocation {
  /** Its own CID. */
  readonly cid: string
  /** CID of the revoked delegation. */
  readonly revokes: string
  /** DIDs of its issuer and its subject. */
  readonly by: readonly string[]
  /** The revocation with its proofs, as token text. */
  readonly revocation: string
  /** The quota that it counts towards; undefined if an owner who is served signed it. */
  readonly quota: string | undefined
}

/** A source that revocations can be added to. */
export interface RevocationStore extends RevocationSource {
  /**
   * Adds a revocation. Only one with the same `cid` is the same: what others say about the same delegation may have an
   * effect where this one has none.
   * @returns false if there is no space
   */
  add(revocation: NewRevocation): boolean | Promise<boolean>
}

/** A store that has something open. */
export interface OpenRevocations extends RevocationStore {
  /** Afterwards, no call under a grant is authorized. */
  close(): Promise<void>
}

/** Finds revocations of a chain. @throws VerifyError REVOCATIONS_UNKNOWN */
export async function findRevocations(
  source: RevocationSource,
  subject: string,
  chain: readonly Link[],
): Promise<readonly string[]> {
  try {
    return await source.find(subject, chain)
  } catch (cause) {
    if (cause instanceof VerifyError) throw cause
    const message = 'The revoked grants are not known. Check where revocations come from.'
    throw new VerifyError('REVOCATIONS_UNKNOWN', message, { cause })
  }
}

/** Uses a separate source of revocations for each owner. @param sources by the owner's DID */
export function revocationsByOwner(sources: Readonly<Record<string, RevocationSource>>): RevocationSource {
  const byOwner = new Map(Object.entries(sources))
  return {
    find(subject, chain) {
      const source = byOwner.get(subject)
      if (source) return source.find(subject, chain)
      throw new VerifyError('REVOCATIONS_UNKNOWN', `There is no source of revocations for ${subject}.`)
    },
  }
}
