import type { StoredToken } from '@keyhole/vault'
import { useVaultCheck } from '../vault/use-vault-check.ts'
import { makeReport, type Report } from './report.ts'

/** The chain of a stored token, checked. */
export function useReport({ token, cid }: Pick<StoredToken, 'token' | 'cid'>): {
  report: Report | undefined
  error: unknown
} {
  const { found, error } = useVaultCheck(['chain', cid, token], async (vault) => {
    const { tokens } = await vault.tokens.inspect(token)
    return makeReport(tokens, await vault.tokens.verify({ token, leaf: cid }), Date.now())
  })
  return { report: found, error }
}
