import type { VaultConfig } from '../base/config.ts'
import { refused } from '../base/errors.ts'
import { judgePassphrase } from './passphrase-judge.ts'
import { normalisePassphrase } from './unlock-proof.ts'

/** Minimum length of a new passphrase, in code points of its NFKC form. */
export const PASSPHRASE_MIN_CHARACTERS = 12
/** Maximum length of a passphrase, in UTF-8 bytes of its NFKC form. */
export const PASSPHRASE_MAX_BYTES = 1024
/** Minimum zxcvbn score of a new passphrase. */
export const PASSPHRASE_MIN_SCORE = 3

/**
 * Checks a new passphrase and returns its normalized form.
 * @throws VaultError INVALID_PASSPHRASE: too short, too long, too easy to guess
 */
export async function checkNewPassphrase(
  passphrase: string,
  assess: VaultConfig['assessPassphrase'] = judgePassphrase,
): Promise<string> {
  const normalised = normalisePassphrase(passphrase)
  if ([...normalised].length < PASSPHRASE_MIN_CHARACTERS) {
    throw refused('PassphraseTooShort', { least: PASSPHRASE_MIN_CHARACTERS })
  }
  if (new TextEncoder().encode(normalised).length > PASSPHRASE_MAX_BYTES) {
    throw refused('PassphraseTooLong', { most: PASSPHRASE_MAX_BYTES })
  }
  const { score, feedback } = await assess(normalised)
  if (!(score >= PASSPHRASE_MIN_SCORE)) {
    throw refused('PassphraseTooEasy', feedback ? { feedback } : {})
  }
  return normalised
}
