import type { PassphraseAssessment } from '../base/config.ts'
import { reasonOf, refused } from '../base/errors.ts'
import { estimate, loadEstimator } from './passphrase-estimate.ts'

/**
 * Judges a new passphrase where the vault's config names no other judge.
 *
 * @returns zxcvbn's score, 0 to 4
 * @throws VaultError OPERATION_FAILED where the dictionaries cannot be loaded; a failed load is tried again by the next call
 */
export async function judgePassphrase(passphrase: string): Promise<PassphraseAssessment> {
  try {
    const { score } = estimate(await loadEstimator(), passphrase)
    return { score }
  } catch (error) {
    throw refused('PassphraseNotJudged', {}, { details: { reason: reasonOf(error) }, cause: error })
  }
}
