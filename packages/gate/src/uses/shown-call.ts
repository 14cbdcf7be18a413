import type { EnclaveAnswer } from '@keyhole/enclave'

type InspectedToken = EnclaveAnswer<'inspect_token'>['tokens'][number]

/** Which grant a call was made under. */
export interface ShownCall {
  readonly owner: string
  /** CID of the owner's own delegation. */
  readonly grant: string
  /** CID of the call. */
  readonly call: string
  readonly command: string
}

/**
 * The grant of a call that was signed by its holder and addressed to this gate, whether or not the grant allows it. Undefined if a signature is wrong, a
 * link is missing, or no owner stands at its root: then anyone could have made it.
 */
export function grantOf(
  tokens: readonly InspectedToken[],
  gate: string,
  owners: readonly string[],
): ShownCall | undefined {
  const byCid = new Map(tokens.map((token) => [token.cid, token]))
  const [call, ...others] = tokens.filter(({ kind }) => kind === 'invocation')
  if (!call?.signature_valid || others.length > 0) return undefined
  const { iss, aud, sub, cmd, prf } = call.payload
  const proofs = Array.isArray(prf) ? prf.map((link) => byCid.get(String(Object(link)['/']))) : []
  if (aud !== gate || typeof sub !== 'string' || !owners.includes(sub) || proofs.length === 0)
    return undefined
  // Proofs are root first; each is for the issuer of the next one.
  const issuers = [...proofs.slice(1).map((proof) => proof?.payload.iss), iss]
  const isChain = proofs.every(
    (proof, at) => proof?.kind === 'delegation' && proof.signature_valid && proof.payload.aud === issuers[at],
  )
  const [root] = proofs
  if (!isChain || !root || root.payload.iss !== sub || root.payload.sub !== sub) return undefined
  return { owner: sub, grant: root.cid, call: call.cid, command: String(cmd) }
}
