import type { InspectTokenResult } from '../enclave/protocol.ts'

type Token = InspectTokenResult['tokens'][number]

/** The only token of a text, if it is an invocation by its own subject and signed. */
export function ownInvocation(tokens: readonly Token[]): Token['payload'] | undefined {
  const [token, ...others] = tokens
  const isSigned = token?.kind === 'invocation' && token.signature_valid && others.length === 0
  return isSigned && token.payload.iss === token.payload.sub ? token.payload : undefined
}

/**
 * CID of the owner's delegation that a call was made under. Undefined unless the call is addressed to the gate and
 * signed by the holder of a chain from the owner: then anyone could have made it.
 */
export function grantOf(tokens: readonly Token[], owner: string, gate: string): string | undefined {
  const [call, ...others] = tokens.filter(({ kind }) => kind === 'invocation')
  if (!call?.signature_valid || others.length > 0) return undefined
  const { iss, aud, sub, prf } = call.payload
  const byCid = new Map(tokens.map((token) => [token.cid, token]))
  const links: readonly unknown[] = Array.isArray(prf) ? prf : []
  // Root first; each is for the issuer of the next one.
  const proofs = links.map((link) => byCid.get(String(Reflect.get(Object(link), '/'))))
  const issuers = [...proofs.slice(1).map((proof) => proof?.payload.iss), iss]
  const isChain = proofs.every(
    (proof, at) => proof?.kind === 'delegation' && proof.signature_valid && proof.payload.aud === issuers[at],
  )
  const [root] = proofs
  if (!isChain || root?.payload.iss !== owner || root.payload.sub !== owner) return undefined
  return sub === owner && aud === gate ? root.cid : undefined
}
