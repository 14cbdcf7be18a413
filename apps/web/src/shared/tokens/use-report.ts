import type { InspectedToken, KeyVault, StoredToken, VerifyTokenResult } from '@keyhole/vault'
import { useVaultCheck } from '../vault/use-vault-check.ts'
import { makeReport, type Report } from './report.ts'

type Checked = Pick<StoredToken, 'token' | 'cid'>

/** When a chain has to hold: what starts later can't be used yet, but it can be passed on. */
export type Holding = 'now' | 'now or later'

async function verified(
  vault: KeyVault,
  { token, cid }: Checked,
  links: readonly InspectedToken[],
  holding: Holding,
): Promise<VerifyTokenResult> {
  const result = await vault.tokens.verify({ token, leaf: cid })
  if (holding === 'now' || result.valid || result.error.name !== 'TooEarly') return result
  const start = Math.max(...links.map(({ payload }) => Number(payload.nbf ?? 0)))
  return await vault.tokens.verify({ token, leaf: cid, now: start })
}

/** The chain of a stored token, checked. */
export function useReport(
  { token, cid }: Checked,
  holding: Holding = 'now',
): { report: Report | undefined; error: unknown } {
  const { found, error } = useVaultCheck(['chain', cid, token, holding], async (vault) => {
    const { tokens } = await vault.tokens.inspect(token)
    return makeReport(tokens, await verified(vault, { token, cid }, tokens, holding), Date.now())
  })
  return { report: found, error }
}
