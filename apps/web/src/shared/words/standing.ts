const DAY = 86_400_000

/** The state of a time window now. `none` means it never ends. */
export type Standing = 'early' | 'live' | 'soon' | 'ended' | 'none'

/** How long before its expiry a grant counts as expiring soon: two days, or a tenth of a shorter life. */
export const SOON = 2 * DAY

/** How long ago a grant was made that its owner is asked about, in milliseconds. */
export const LONG = 90 * DAY

/**
 * A token's state at `now`.
 * @param window milliseconds; `expiresAt` undefined means no expiry
 */
export function standing(
  window: { notBefore?: number | undefined; expiresAt?: number | undefined; createdAt?: number | undefined },
  now: number,
): Standing {
  const { notBefore, expiresAt, createdAt } = window
  if (expiresAt !== undefined && now > expiresAt) return 'ended'
  if (notBefore !== undefined && now < notBefore) return 'early'
  if (expiresAt === undefined) return 'none'
  const life = createdAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - createdAt
  return expiresAt - now <= Math.min(SOON, life / 10) ? 'soon' : 'live'
}
