import { VaultClient } from '../client/vault-client.ts'
import type { KeyVault } from '../key-vault.ts'

/** The whole client of a vault, for what its users cannot see. */
export function clientOf({ client }: KeyVault): VaultClient {
  if (client instanceof VaultClient) return client
  throw new Error('This vault has no client of this package.')
}
