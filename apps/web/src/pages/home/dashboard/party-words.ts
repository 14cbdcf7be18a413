import type { Mandate } from '@keyhole/vault'
import { plural, t } from '@lingui/core/macro'
import { canBeSuspended, isSuspended } from '../../../shared/tokens/capability.ts'
import type { Party } from '../timeline/parties.ts'

/**
 * How many grants a party has, with the suspended ones apart: those can't be used.
 * @param mandates the vault's mandates, undefined while they can't be read
 */
export function countWords(
  { tokens }: Pick<Party, 'tokens'>,
  mandates: readonly Mandate[] | undefined,
  now: number,
): string {
  const apart = tokens.filter((token) =>
    mandates === undefined ? canBeSuspended(token) : isSuspended(token, mandates, now),
  ).length
  const active = tokens.length - apart
  if (apart === 0) return plural(active, { one: '1 grant', other: '# grants' })
  if (mandates === undefined)
    return active === 0 ? t`${apart} may be suspended` : t`${active} active, ${apart} may be suspended`
  return active === 0 ? t`${apart} suspended` : t`${active} active, ${apart} suspended`
}
