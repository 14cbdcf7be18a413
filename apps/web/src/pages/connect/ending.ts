import { t } from '@lingui/core/macro'
import { type ExpiryChoice, expiryOptions, readExpiry } from '../../shared/grant-form/expiry.ts'

/** When the grant expires: as asked, or sooner. */
export type Ending = 'asked' | Exclude<ExpiryChoice, 'same' | 'on'>

const isLength = (choice: ExpiryChoice): choice is Exclude<ExpiryChoice, 'same' | 'on'> =>
  choice !== 'same' && choice !== 'on'

/** How long a choice lasts, in seconds. */
function lengthOf(choice: ExpiryChoice): number {
  const read = readExpiry(choice, '', 0)
  return ('at' in read ? read.at : undefined) ?? Number.POSITIVE_INFINITY
}

/** The expiry that was asked for, and the usual ones before it. @param expiresIn seconds */
export function endings(expiresIn: number): { value: Ending; label: string }[] {
  const sooner = expiryOptions().flatMap(({ value, label }) =>
    isLength(value) && lengthOf(value) < expiresIn ? [{ value, label }] : [],
  )
  return [{ value: 'asked', label: t`As it was asked` }, ...sooner]
}

/** The expiry in seconds since 1970. @param now milliseconds */
export function endingAt(ending: Ending, expiresIn: number, now: number): number {
  return Math.floor(now / 1000) + (ending === 'asked' ? expiresIn : lengthOf(ending))
}
