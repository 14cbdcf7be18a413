import type { ListedToken } from '../tokens/use-tokens.ts'
import { RenewButton } from './renew-button.tsx'
import { isRenewable } from './renewable.ts'
import { RevokeButton } from './revoke-button.tsx'

interface GrantActsProps {
  grants: readonly ListedToken[]
  /** Where the focus goes after a revocation removed the row. */
  leadsTo: () => HTMLElement | null
}

/** Renews or revokes active grants, wherever they are shown. */
export function GrantActions({ grants, leadsTo }: GrantActsProps) {
  return (
    <>
      {grants.every(isRenewable) ? <RenewButton grants={grants} /> : null}
      <RevokeButton grants={grants} leadsTo={leadsTo} />
    </>
  )
}
