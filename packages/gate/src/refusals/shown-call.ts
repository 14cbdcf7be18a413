import type { EnclaveAnswer } from '@keyhole/enclave'

type InspectedToken = EnclaveAnswer<'inspect_token'>['tokens'][number]

/** A call that stands under an owner of the gate, whether or not it is allowed. */
export interface ShownCall {
  readonly owner: string
  /** DID of who signed the call. */
  readonly issuer: string
  /** CIDs of the delegations from the owner to them, root first; empty if the owner calls. */
  readonly grants: readonly string[]
  /** CID of the call. */
  readonly call: string
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
}

/**
 * The call in these tokens, if its caller signed it for this gate and every link up to one of the owners is there and signed. Undefined otherwise: then
 * anyone could have made it. Whether the grants allow the call, or still count, doesn't matter here.
 */
export function shownCall(
  tokens: readonly InspectedToken[],
  gate: string,
  owners: readonly string[],
): ShownCall | undefined {
  const byCid = new Map(tokens.map((token) => [token.cid, token]))
  const [call, ...others] = tokens.filter(({ kind }) => kind === 'invocation')
  if (!call?.signature_valid || others.length > 0) return undefined
  const { iss, aud, sub, cmd, prf, args } = call.payload
  const proofs = Array.isArray(prf) ? prf.map((link) => byCid.get(String(Object(link)['/']))) : []
  if (aud !== gate || typeof sub !== 'string' || !owners.includes(sub)) return undefined
  // Proofs are root first; each is for the issuer of the next one. Without any, only the owner may call.
  const issuers = [...proofs.map((proof) => proof?.payload.iss), iss]
  const isChain = proofs.every(
    (proof, at) =>
      proof?.kind === 'delegation' && proof.signature_valid && proof.payload.aud === issuers[at + 1],
  )
  const [root] = proofs
  if (!isChain || issuers[0] !== sub || (root && root.payload.sub !== sub)) return undefined
  return {
    owner: sub,
    issuer: String(iss),
    grants: proofs.flatMap((proof) => proof?.cid ?? []),
    call: call.cid,
    command: String(cmd),
    args: Object(args),
  }
}
