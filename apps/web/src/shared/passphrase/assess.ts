/**
 * Rates a new passphrase for the vault, which asks before accepting one.
 * @returns zxcvbn's score, 0 to 4, and what would help, in words
 */
export async function assessPassphrase(passphrase: string): Promise<{ score: number; feedback: string }> {
  // Every page has the vault, but few need the estimator.
  const [{ judge }, { loadEstimator }] = await Promise.all([
    import('./strength.ts'),
    import('@keyhole/vault/passphrase-estimate'),
  ])
  const { score, reasons } = judge(await loadEstimator(), passphrase, [])
  return { score, feedback: reasons.join(' ') }
}
