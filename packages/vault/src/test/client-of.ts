import { VaultClient } from '../client/vault-client.ts'
import type { KeyVault } from '../key-vault.ts'

/** A vault's complete client, including what its users can't see. */
export function clientOf({ client }: KeyVault): VaultClient {
  if (client instanceof VaultClient) return client
  throw new Error('This vault has no client of this package.')
}
