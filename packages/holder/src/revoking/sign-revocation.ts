// Ends what a holder passed on (docs/ucan.md, "Revocation").
import { findChain, leafOf } from '../chain/chain.ts'
import { Budget } from '../codec/work-budget.ts'
import { refuse } from '../errors.ts'
import { checkSignatures, type Resolve } from '../grants/signed.ts'
import { didOf } from '../identity/did.ts'
import { signWith } from '../identity/holder-key.ts'
import type { HolderStore } from '../stores/store.ts'
import { writeContainer } from '../token/container.ts'
import { INVOCATION, signEnvelope } from '../token/envelope.ts'
import { delegationsOf, readToken, readTokens } from '../token/read.ts'

/** Options of {@link signRevocation}. */
export interface RevokeOptions {
  /** CID of the grant that ends, if the text has several. Default: the last of the chain. */
  readonly leaf?: string
  /** Looks up issuers that aren't did:keys, as for `createHolder`. */
  readonly resolve?: Resolve
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

/** A revocation, for the services that honoured the grant, or for the owner's relay. */
export interface SignedRevocation {
  /** The container text of the revocation. */
  readonly revocation: string
  /** The container text of what it ends, with all its proofs: a relay asks for it. */
  readonly token: string
  /** The CID of the grant that ends. */
  readonly revokes: string
  /** The DID of the owner. */
  readonly subject: string
}

/**
 * Signs that a grant is over, and with it all that was passed on from it. It can't be undone. It counts wherever it has been delivered.
 * @param store of the holder that passed the grant on, or one above it
 * @param grant the text of the grant with its proofs
 * @throws HolderError by the rule that the grant breaks; InvalidSubject if the holder issued no part of it
 */
export async function signRevocation(
  store: HolderStore,
  grant: string | Uint8Array,
  { leaf, resolve, clock = Date.now }: RevokeOptions = {},
): Promise<SignedRevocation> {
  const budget = new Budget()
  // One that expired ends by itself, but clocks differ.
  const moment = { now: Math.floor(clock() / 1_000), skew: 0, timing: 'whenever' } as const
  const path = await findChain(
    delegationsOf(await readTokens(grant, budget)),
    leaf,
    moment,
    (tokens) => checkSignatures(tokens, resolve, budget),
    budget,
  )
  const key = await store.key()
  const did = didOf(key.publicKey)
  const { cid, link } = leafOf(path)
  if (!path.some(({ iss }) => iss === did))
    refuse('InvalidSubject', `Only those who passed it on can revoke it. This holder is ${did}.`, { cid })
  const payload = {
    ...{ iss: did, sub: did, cmd: '/ucan/revoke', args: { revoke: link }, prf: [] },
    // Revoking twice changes nothing, and it never expires.
    ...{ nonce: new Uint8Array(), exp: null },
  }
  const bytes = await signEnvelope(INVOCATION, payload, (message) => signWith(key, message))
  await readToken(bytes, budget)
  return {
    revocation: await writeContainer([bytes]),
    token: await writeContainer(path.map((each) => each.bytes)),
    revokes: cid,
    subject: path[0].iss,
  }
}
