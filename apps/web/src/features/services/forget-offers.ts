import type { KeyVault } from '@keyhole/vault'
import { forgetService, type SavedService, saveService } from '@keyhole/vault/services'

/**
 * Removes what the keys of a contact offer, for one that is deleted.
 * @returns what brings it back
 */
export async function forgetOffers(vault: KeyVault, dids: readonly string[]): Promise<() => Promise<void>> {
  const gone: (SavedService | undefined)[] = []
  for (const did of dids) gone.push(await forgetService(vault, did))
  return async () => {
    for (const service of gone) if (service) await saveService(vault, service)
  }
}
