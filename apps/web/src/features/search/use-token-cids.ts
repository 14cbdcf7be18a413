import { useVaultCheck } from '../../shared/vault/use-vault-check.ts'

const NONE: readonly string[] = []

/** The CIDs of the tokens in a text that may be one. Empty if it can't be read. */
export function useTokenCids(token: string | undefined): { cids: readonly string[]; looking: boolean } {
  const { found, error } = useVaultCheck(token === undefined ? undefined : ['cids', token], async (vault) => {
    // The leaf comes last; the tokens before it are its proofs.
    const { tokens } = await vault.client.inspectToken(token ?? '')
    return tokens.map(({ cid }) => cid).reverse()
  })
  return { cids: found ?? NONE, looking: token !== undefined && found === undefined && error === undefined }
}
