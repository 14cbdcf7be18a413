import { useVaultCheck } from '../vault/use-vault-check.ts'
import { type ListedToken, useRevoked } from './use-tokens.ts'

const NONE: readonly string[] = []

/** Whether the account revoked a grant that this token came from. Then it gives nothing any more, whatever its own time says. */
export function useRevokedAbove({ cid, token, type }: ListedToken): boolean {
  const cameFromOthers = type === 'attenuated' || type === 'received'
  const { found = NONE } = useVaultCheck(cameFromOthers ? ['above', cid] : undefined, async (vault) => {
    const { tokens } = await vault.tokens.inspect(token)
    return tokens.flatMap((each) => (each.cid === cid ? [] : [each.cid]))
  })
  return useRevoked(found).length > 0
}
