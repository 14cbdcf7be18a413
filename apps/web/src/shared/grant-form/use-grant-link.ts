import type { StoredToken } from '@keyhole/vault'
import { makeLinkSecret } from '@keyhole/vault/opened'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasRelay, isRelayOn } from '../relay/relay-setting.ts'
import { linkFor } from '../tokens/handed-over.ts'
import { useHandovers } from '../tokens/use-opened.ts'

/** What a link is made of. */
export type LinkedGrant = Pick<StoredToken, 'token' | 'cid' | 'issuer' | 'audienceDid'>

interface GrantLink {
  /** Undefined where the token is too long for one. */
  readonly link: string | undefined
  /** Whether its holder may say that they opened it. */
  readonly asks: boolean
  /** To be called once the person takes the link. */
  readonly taken: () => void
}

/**
 * The link of a grant. If the grant is one's own and this site has a relay, there is a secret in it with which the other side may say that
 * they opened it. Making a link stores nothing and asks no one but the site, once, whether it has a relay.
 */
export function useGrantLink({ token, cid, issuer, audienceDid: audience }: LinkedGrant): GrantLink {
  const vault = useVault()
  const { keys } = useVaultSnapshot()
  const handovers = useHandovers()
  const [made] = useState(makeLinkSecret)
  const isOwn = keys.some(({ did }) => did === issuer) && audience !== issuer
  const { data: isThere = false } = useQuery({
    queryKey: ['relay'],
    queryFn: async () => isRelayOn() && navigator.onLine && (await hasRelay()),
    enabled: isOwn && handovers !== undefined,
    retry: false,
    staleTime: 60_000,
  })
  const asks = isOwn && handovers !== undefined && isThere
  const secret = asks ? (handovers.get(cid)?.secret ?? made) : undefined
  const taken = () => {
    // If this can't be stored, no one learns whether it was opened. The link works all the same.
    if (secret !== undefined) vault.handovers.add({ cid, issuer, audience, secret }).catch(() => {})
  }
  return { link: linkFor(token, secret), asks, taken }
}
