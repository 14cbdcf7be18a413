import type { StoredToken } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { Badge } from '../ui/feedback/badge.tsx'
import { useMandates } from '../vault/use-sealed-lists.ts'
import { REQUEST } from '../words/payment-commands.ts'
import { isSuspended, storedStanding } from './capability.ts'
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
  const { mandates } = useMandates()
  if (!isSuspended({ ...stored, revoked, revokedAbove }, mandates, now)) return <TimeBadge {...props} />
  return <Badge tone="warn">{t`suspended`}</Badge>
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
