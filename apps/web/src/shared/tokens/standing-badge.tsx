import { t } from '@lingui/core/macro'
import { Badge, type BadgeTone } from '../ui/feedback/badge.tsx'
import { distance, endWords, type Standing } from '../words/when.ts'

const TONES: Record<Standing, BadgeTone> = {
  early: 'plain',
  live: 'good',
  soon: 'warn',
  ended: 'plain',
  none: 'good',
}

interface StandingBadgeProps {
  standing: Standing
  expiresAt: number | undefined
  notBefore?: number | undefined
  now: number
  /** Whether a revocation of it is stored here. */
  revoked?: boolean
  /** Whether one of something that it came from is. */
  revokedAbove?: boolean
}

/** Where a token's time window stands, in a few words. */
export function StandingBadge(props: StandingBadgeProps) {
  const { standing, expiresAt, notBefore, now, revoked = false, revokedAbove = false } = props
  if (revoked) return <Badge>{t`revoked`}</Badge>
  if (revokedAbove && standing !== 'ended')
    return <Badge>{t`Revoked: you revoked the grant it came from`}</Badge>
  const starts = standing === 'early' && notBefore !== undefined ? distance(notBefore, now) : undefined
  return (
    <Badge tone={TONES[standing]}>
      {starts === undefined ? endWords(expiresAt, now) : t`starts ${starts}`}
    </Badge>
  )
}
