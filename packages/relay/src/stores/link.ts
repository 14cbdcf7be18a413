/** A delegation of a checked chain. */
export interface Link {
  readonly cid: string
  /** DID of its issuer. */
  readonly issuer: string
}

/** The links of a chain, each with those who may revoke it: the issuers of it and of those above. @param chain root first */
export function revokersOf(
  chain: readonly Link[],
): { readonly cid: string; readonly revokers: Set<string> }[] {
  return chain.map(({ cid }, at) => ({
    cid,
    revokers: new Set(chain.slice(0, at + 1).map(({ issuer }) => issuer)),
  }))
}

/** Whether a revocation has an effect on a chain. @param revocation one whose signature and proofs were checked */
export function affects(
  { cid, by }: { readonly cid: string; readonly by: readonly string[] | undefined },
  chain: readonly Link[],
): boolean {
  return revokersOf(chain).some(
    (link) => link.cid === cid && (by === undefined || by.some((did) => link.revokers.has(did))),
  )
}
