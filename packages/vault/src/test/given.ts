import { KeyVault } from '../key-vault.ts'
import { EnclaveWorld } from './enclave-world.ts'
import { openedByPasskey } from './opening.ts'

type GrantRequest = Parameters<KeyVault['tokens']['grant']>[0]

/** A token from another vault, which no longer exists. */
export async function givenByAnother(request: GrantRequest): Promise<string> {
  const giver = new KeyVault({ enablePersistence: false }, new EnclaveWorld())
  await giver.initialize()
  await giver.create(openedByPasskey())
  const { token } = await giver.tokens.grant(request)
  await giver.cleanup()
  return token
}
