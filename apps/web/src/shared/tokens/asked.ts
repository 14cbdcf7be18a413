import type { KeyVault, StoredToken } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Asked, readAsked } from '../search-index/read-asked.ts'
import { tokenClient } from '../search-index/token-client.ts'

/** A signed token; with its text, if that is known. */
type Signed = Pick<StoredToken, 'cid' | 'type'> & Partial<Pick<StoredToken, 'token'>>

async function readSigned(vault: KeyVault, { cid, token }: Signed): Promise<Asked | undefined> {
  const text = token ?? (await tokenClient().ask({ ask: 'token', cid })).token?.token
  return text === undefined ? undefined : await readAsked(vault, text)
}

/**
 * What a signed request asks for, read once: what a CID names never changes. Null if there is no request in it, or it is not stored here.
 */
export function askedQuery(vault: KeyVault, signed: Signed) {
  const { address = '' } = vault.getSnapshot()
  return queryOptions({
    queryKey: ['asked', address, signed.cid],
    // A query has no answer that is undefined.
    queryFn: async () => (await readSigned(vault, signed)) ?? null,
    retry: false,
    // One that isn't stored here now may be later.
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
  })
}

const NO_TOKEN: Signed = { cid: '', type: 'invocation' }

/** The same for something on screen. Undefined until it is read, and for anything that isn't a request. */
export function useAsked(signed: Signed | undefined): Asked | undefined {
  const vault = useVault()
  const { data } = useQuery({
    ...askedQuery(vault, signed ?? NO_TOKEN),
    enabled: signed?.type === 'invocation',
  })
  return data ?? undefined
}
