import type { StoredToken } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { Badge } from '../ui/feedback/badge.tsx'
import { useMandates } from '../vault/use-sealed-lists.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { canBeSuspended, isSuspended, storedStanding } from './capability.ts'
import { StandingBadge } from './standing-badge.tsx'

interface StoredBadgeProps {
  stored: StoredToken
  now: number
  /** Whether a revocation of it is stored here. */
  revoked?: boolean
  /** Whether one of something that it came from is. */
  revokedAbove?: boolean
}

/** Where a stored grant stands. A suspended mandate says so, as in the list of mandates. */
export function StoredBadge(props: StoredBadgeProps) {
  // The vault is asked for its mandates where one may be meant.
  return props.stored.command === REQUEST ? <MandateBadge {...props} /> : <TimeBadge {...props} />
}

function MandateBadge(props: StoredBadgeProps) {
  const { t } = useLingui()
  const { stored, now, revoked = false, revokedAbove = false } = props
  const { phase } = useVaultSnapshot()
  const { mandates, error } = useMandates()
  if (isSuspended({ ...stored, revoked, revokedAbove }, mandates, now))
    return <Badge tone="warn">{t`suspended`}</Badge>
  const isOver = revoked || revokedAbove || storedStanding(stored, now) === 'ended'
  const isUnclear = canBeSuspended(stored) && !isOver && (phase === 'locked' || error !== undefined)
  if (!isUnclear) return <TimeBadge {...props} />
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Badge>{t`may be suspended`}</Badge>
      <TimeBadge {...props} />
    </span>
  )
}

function TimeBadge({ stored, ...rest }: StoredBadgeProps) {
  const { expiresAt, notBefore } = stored
  return (
    <StandingBadge
      standing={storedStanding(stored, rest.now)}
      expiresAt={expiresAt}
      notBefore={notBefore}
      {...rest}
    />
  )
}
