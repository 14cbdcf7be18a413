import type { PassphraseAssessment } from '../base/config.ts'
import { reasonOf, refused } from '../base/errors.ts'
import { estimate, loadEstimator } from './passphrase-estimate.ts'

/**
 * Scores a new passphrase if the vault's config doesn't bring its own check.
 * @returns zxcvbn's score, 0 to 4
 * @throws VaultError OPERATION_FAILED if the dictionaries can't be loaded; the next call tries again
 */
export async function judgePassphrase(passphrase: string): Promise<PassphraseAssessment> {
  try {
    const { score } = estimate(await loadEstimator(), passphrase)
    return { score }
  } catch (error) {
    throw refused('PassphraseNotJudged', {}, { details: { reason: reasonOf(error) }, cause: error })
  }
}
