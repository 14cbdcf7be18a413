const DAY = 86_400_000

/** Where a window of time stands now. `none` means it never ends. */
export type Standing = 'early' | 'live' | 'soon' | 'ended' | 'none'

/** How long before its end a grant counts as ending soon: two days, or a tenth of a shorter life. */
export const SOON = 2 * DAY

/**
 * Where a token stands at `now`.
 * @param window milliseconds; `expiresAt` undefined means without end
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
