import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { distance, endWords, type Standing } from '../words/when.ts'

const TONES: Record<Standing, BadgeTone> = {
  early: 'plain',
  live: 'good',
  soon: 'warn',
  ended: 'plain',
  none: 'brass',
}

interface StandingBadgeProps {
  standing: Standing
  expiresAt: number | undefined
  notBefore?: number | undefined
  now: number
}

/** Where a token's time window stands, in a few words. */
export function StandingBadge({ standing, expiresAt, notBefore, now }: StandingBadgeProps) {
  const words =
    standing === 'early' && notBefore !== undefined
      ? `starts ${distance(notBefore, now)}`
      : endWords(expiresAt, now)
  return <Badge tone={TONES[standing]}>{words}</Badge>
}
