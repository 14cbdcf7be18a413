import { t } from '@lingui/core/macro'
import { type ExpiryChoice, expiryOptions, readExpiry } from '../../shared/grant-form/expiry.ts'

/** When the grant expires: as asked, or at one of the usual times. */
export type Ending = 'asked' | Exclude<ExpiryChoice, 'same' | 'on'>

/** Longest end that a person can give a request instead, in seconds: 30 days. What is to last longer, they grant themselves. */
const LONGEST = 30 * 86_400

const isLength = (choice: ExpiryChoice): choice is Exclude<ExpiryChoice, 'same' | 'on'> =>
  choice !== 'same' && choice !== 'on'

/** How long a choice lasts, in seconds. */
function lengthOf(choice: ExpiryChoice): number {
  const read = readExpiry(choice, '', 0)
  return ('at' in read ? read.at : undefined) ?? Number.POSITIVE_INFINITY
}

/** The expiry that was asked for, the usual ones before it and, where a person may allow more, after it. @param expiresIn seconds */
export function endings(expiresIn: number, canBeLonger: boolean): { value: Ending; label: string }[] {
  const others = expiryOptions().flatMap(({ value, label }) => {
    if (!isLength(value) || lengthOf(value) === expiresIn) return []
    if (lengthOf(value) < expiresIn) return [{ value, label }]
    return canBeLonger && lengthOf(value) <= LONGEST
      ? [{ value, label: t`${label}, longer than requested` }]
      : []
  })
  return [{ value: 'asked', label: t`As requested` }, ...others]
}

/** The expiry in seconds since 1970. @param now milliseconds */
export function endingAt(ending: Ending, expiresIn: number, now: number): number {
  return Math.floor(now / 1000) + (ending === 'asked' ? expiresIn : lengthOf(ending))
}
