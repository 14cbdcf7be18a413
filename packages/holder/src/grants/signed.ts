// Checks signatures. Each issuer's key is in its did:key, or is looked up.
import type { Signed } from '../chain/path.ts'
import type { Budget } from '../codec/work-budget.ts'
import { keyOf } from '../identity/did.ts'
import { verifySignature } from '../identity/signatures.ts'
import type { Token } from '../token/payload.ts'

/**
 * Looks up the did:keys that may sign for a DID of another method, such as did:web. Its results are trusted.
 * @param did the DID to look up
 */
export type Resolve = (did: string) => Promise<readonly string[]>

/** Checks the signatures of several tokens together. @throws HolderError TooMuchWork, Unsupported */
export async function checkSignatures(
  tokens: readonly Token[],
  resolve: Resolve | undefined,
  budget: Budget,
): Promise<Signed> {
  const good = new Set<string>()
  const check = async ({ cid, iss, keyType, signed, signature }: Token) => {
    for (const name of iss.startsWith('did:key:') ? [iss] : ((await resolve?.(iss)) ?? [])) {
      const key = keyOf(name)
      // The algorithm named in the token must match its issuer's key.
      if (key?.type === keyType && (await verifySignature(key, signed, signature, budget))) good.add(cid)
    }
  }
  await Promise.all(tokens.map(check))
  return ({ cid }) => good.has(cid)
}
