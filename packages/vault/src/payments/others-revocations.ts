// What others revoked of what the account granted, as its feed at a relay has it (docs/relay.md).
import * as v from 'valibot'
import { didWebOf } from '../base/did-web.ts'
import { refused } from '../base/errors.ts'
import { bytesWithin } from '../base/response-body.ts'
import type { VaultContext } from '../session/context.ts'

/** How long the relay may take, in milliseconds. */
const PATIENCE = 10_000
/** Longest feed that is read, in bytes: about as many as one has, each of the usual length. */
const LONGEST = 48 << 20

const feed = v.object({
  revocations: v.array(
    v.looseObject({
      cid: v.string(),
      by: v.exactOptional(v.array(v.string())),
      revocation: v.string(),
    }),
  ),
})

/**
 * The texts of revocations in the feed that may end what a request rests on. Nothing for a request that isn't about the
 * account's own: it is refused anyway.
 * @param relay its base URL
 * @throws VaultError OPERATION_FAILED, `FeedUnknown` if the relay can't be asked
 */
export async function othersRevocations(
  { client, snapshot }: VaultContext,
  relay: string,
  request: string,
): Promise<string[]> {
  const { tokens } = await client.inspectToken(request)
  const subject = tokens.find(({ kind }) => kind === 'invocation')?.payload.sub
  const key = snapshot.keys.find(({ did }) => did === subject)
  if (!key) return []
  const { token } = await client.invoke({
    ...{ command: '/relay/revocations/read', args: {}, subject_did: key.did },
    ...{ audience_did: didWebOf(relay), key_id: key.key_id },
  })
  const links = tokens.filter(({ kind }) => kind === 'delegation')
  const cids = new Set(links.map(({ cid }) => cid))
  const issuers = new Set(links.map(({ payload }) => payload.iss))
  try {
    const response = await fetch(`${relay}/revocations`, {
      headers: { authorization: `Bearer ${token}` },
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE),
    })
    const bytes = response.ok ? await bytesWithin(response, LONGEST) : undefined
    const { revocations } = v.parse(feed, JSON.parse(new TextDecoder().decode(bytes)))
    // Strangers can sign any number about a link. Only who issued one can end it.
    return revocations.flatMap(({ cid, by, revocation }) =>
      cids.has(cid) && (by === undefined || by.some((did) => issuers.has(did))) ? [revocation] : [],
    )
  } catch (cause) {
    throw refused('FeedUnknown', {}, { cause })
  }
}
