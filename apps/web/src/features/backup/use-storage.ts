import { useVault } from '@keyhole/vault-react'
import { useCallback } from 'react'
import { useReadAgain, useVaultQuery } from '../../shared/vault/vault-query.ts'

const NAME = 'storage'

/** When to look again whether the second copy has caught up, in milliseconds. */
const SOON = 2_000

/** Reads the storage's health (bytes; milliseconds since 1970), and asks the browser to keep it. */
export function useStorage() {
  const vault = useVault()
  const readAgain = useReadAgain(NAME)
  const { data, failed } = useVaultQuery(NAME, () => vault.accounts.storageHealth(), {
    onFocus: true,
    settlesIn: ({ mirror }) => (mirror === 'behind' || mirror === 'writing' ? SOON : undefined),
  })
  const ask = useCallback(async () => {
    const granted = await vault.client.requestPersistentStorage()
    readAgain()
    return granted === true
  }, [vault, readAgain])
  /** Writes the second copy anew. @returns whether it is whole then */
  const renew = useCallback(async () => {
    const { mirror } = await vault.accounts.renewCopy()
    readAgain()
    return mirror === 'whole'
  }, [vault, readAgain])
  return { health: data, failed, ask, renew }
}
