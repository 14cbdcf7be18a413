import { judge, loadEstimator } from './strength.ts'

/**
 * Judges a new passphrase for the vault itself, which asks before it takes one.
 * @returns zxcvbn's score, 0 to 4, and what would help, in words
 */
export async function assessPassphrase(passphrase: string): Promise<{ score: number; feedback: string }> {
  const { score, reasons } = judge(await loadEstimator(), passphrase, [])
  return { score, feedback: reasons.join(' ') }
}
