import type { StoredToken } from '@keyhole/vault'
import { REQUEST } from '../words/payment-commands.ts'

/** Whether a grant can be signed again: not a budget, which is counted where it was made, and not one for anyone's resource. */
export function isRenewable({ type, command, subject, issuer }: StoredToken): boolean {
  if (command === REQUEST) return false
  return type === 'attenuated' || (type === 'origin' && subject === issuer)
}
