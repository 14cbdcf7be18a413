import { VerifyError } from '../errors.ts'

/** Knows the revocations of grants. */
export interface RevocationSource {
  /**
   * Finds revocations, as token text, of any of these delegations. The verifier checks each one's signature and authority.
   *
   * @param subject DID of the owner
   * @param cids the delegations of a chain
   * @throws VerifyError REVOCATIONS_UNKNOWN if it can't know
   */
  find(subject: string, cids: readonly string[]): readonly string[] | Promise<readonly string[]>
}

/** A revocation whose signature has been checked. */
export interface NewRevocation {
  /** CID of the revoked delegation. */
  readonly revokes: string
  /** DID of the revoker. */
  readonly by: string
  /** The revocation with its proofs, as token text. */
  readonly revocation: string
}

/** A source that revocations can be added to. */
export interface RevocationStore extends RevocationSource {
  /**
   * Adds a revocation. One per DID and delegation is enough.
   * @returns false if there is no space
   */
  add(revocation: NewRevocation): boolean | Promise<boolean>
}

/** Finds revocations of a chain. @throws VerifyError REVOCATIONS_UNKNOWN */
export async function findRevocations(
  source: RevocationSource,
  subject: string,
  chain: readonly { readonly cid: string }[],
): Promise<readonly string[]> {
  try {
    return await source.find(
      subject,
      chain.map(({ cid }) => cid),
    )
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
    find(subject, cids) {
      const source = byOwner.get(subject)
      if (source) return source.find(subject, cids)
      throw new VerifyError('REVOCATIONS_UNKNOWN', `There is no source of revocations for ${subject}.`)
    },
  }
}
