import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'
import type { Contacts } from '../../../shared/words/who.ts'

/** Someone at the other end of tokens: who gave them, or whom they were given to. A contact with several keys is one. */
export interface Party {
  /** The contact's id, or the DID of a key without a name. */
  readonly id: string
  /** Those of its DIDs that its tokens name, the first one first. */
  readonly dids: readonly [string, ...string[]]
  /** In the order they came. */
  readonly tokens: readonly ListedToken[]
}

/** Tokens by who is at their other end, in the order in which they first appear. An own key is always a party of its own. */
export function partiesIn(
  tokens: readonly ListedToken[],
  end: (token: ListedToken) => string,
  { named, own }: Pick<Contacts, 'named' | 'own'>,
): Party[] {
  const parties = new Map<string, { dids: [string, ...string[]]; tokens: ListedToken[] }>()
  for (const token of tokens) {
    const did = end(token)
    const id = own.has(did) ? did : (named.get(did)?.id ?? did)
    const known = parties.get(id)
    if (known === undefined) parties.set(id, { dids: [did], tokens: [token] })
    else {
      known.tokens.push(token)
      if (!known.dids.includes(did)) known.dids.push(did)
    }
  }
  return [...parties].map(([id, party]) => ({ id, ...party }))
}
