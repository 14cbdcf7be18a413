import { useVault } from '@keyhole/vault-react'
import { useEffect, useState } from 'react'

const NONE: readonly string[] = []

/** The CIDs of the tokens in a text that may be one; none where it cannot be read. */
export function useTokenCids(token: string | undefined): { cids: readonly string[]; looking: boolean } {
  const vault = useVault()
  const [seen, setSeen] = useState<{ token: string; cids: readonly string[] }>()
  useEffect(() => {
    if (token === undefined) {
      setSeen(undefined)
      return
    }
    let wanted = true
    const see = (cids: readonly string[]) => wanted && setSeen({ token, cids })
    vault.client.inspectToken(token).then(
      // The leaf stands last: what was given with it are its proofs.
      ({ tokens }) => see(tokens.map(({ cid }) => cid).reverse()),
      () => see(NONE),
    )
    return () => {
      wanted = false
    }
  }, [vault, token])
  if (token === undefined) return { cids: NONE, looking: false }
  return seen?.token === token ? { cids: seen.cids, looking: false } : { cids: NONE, looking: true }
}
