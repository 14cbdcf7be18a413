/**
 * Judges a new passphrase for the vault itself, which asks before it takes one.
 * @returns zxcvbn's score, 0 to 4, and what would help, in words
 */
export async function assessPassphrase(passphrase: string): Promise<{ score: number; feedback: string }> {
  // The vault is there on every page, and the judge is needed on few.
  const [{ judge }, { loadEstimator }] = await Promise.all([
    import('./strength.ts'),
    import('@keyhole/vault/passphrase-estimate'),
  ])
  const { score, reasons } = judge(await loadEstimator(), passphrase, [])
  return { score, feedback: reasons.join(' ') }
}
