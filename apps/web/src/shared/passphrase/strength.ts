import { type Estimator, estimate } from '@keyhole/vault/passphrase-estimate'
import { t } from '@lingui/core/macro'
import { feedbackWords } from './feedback.ts'

/** How strong a passphrase is, and why. */
export interface Strength {
  /** zxcvbn's score, 0 to 4; 3 is enough. */
  score: number
  /** Whether it may be used: long enough, short enough and strong enough. */
  enough: boolean
  /** What weakens it and what would help, in sentences. */
  reasons: string[]
}

export const SHORTEST = 12
export const LONGEST_BYTES = 1024
export const LEAST_SCORE = 3

/** The length of a passphrase: the code points of its NFKC form. */
export function countCharacters(passphrase: string): number {
  return [...passphrase.normalize('NFKC')].length
}

/** Problems that need no dictionaries: the length. */
export function lengthProblem(passphrase: string): string | undefined {
  const count = countCharacters(passphrase)
  if (count < SHORTEST) {
    const more = SHORTEST - count
    return t`At least ${SHORTEST} characters: ${more} more.`
  }
  const bytes = new TextEncoder().encode(passphrase.normalize('NFKC')).length
  if (bytes > LONGEST_BYTES) return t`At most ${LONGEST_BYTES} bytes: this has ${bytes}.`
  return undefined
}

/**
 * Rates a passphrase.
 * @param known words an attacker would try first: the account's name, its address
 */
export function judge(estimator: Estimator, passphrase: string, known: readonly string[]): Strength {
  const { score, feedback } = estimate(estimator, passphrase, known)
  const length = lengthProblem(passphrase)
  const said = feedbackWords(feedback.warning, feedback.suggestions)
  const reasons = length === undefined ? said : [length, ...said]
  return { score, enough: length === undefined && score >= LEAST_SCORE, reasons }
}
