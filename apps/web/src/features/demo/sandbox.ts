import type { VaultConfig } from '@keyhole/vault'
import { KeyVault } from '@keyhole/vault'

/** A throw-away vault: nothing of it is stored, and nothing of it is shared with a real account. */
export interface Sandbox {
  vault: KeyVault
  /** Two keys: the first owns everything, the second is whom it grants to. */
  owner: { keyId: string; did: string }
  helper: { keyId: string; did: string }
  /** A DID that no key of the sandbox belongs to. */
  stranger: string
  /** The owner lets the helper handle messages for an hour. */
  token: string
  /** When that token ends, in seconds. */
  expiresAt: number
  passphrase: string
}

function randomPassphrase(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/**
 * Makes one, with its own enclave, two keys and a token to play with.
 * @param config the client's own: where the engine and its workers come from
 */
export async function makeSandbox(config: VaultConfig): Promise<Sandbox> {
  const vault = new KeyVault({ ...config, enablePersistence: false, autoCleanup: false })
  try {
    await vault.initialize()
    const passphrase = randomPassphrase()
    await vault.create({ passphrase, label: 'Demo' })
    const owner = vault.getSnapshot().keys[0]
    const helper = await vault.generateKey({ label: 'Helper' })
    const stranger = await vault.generateKey({ keyType: 'p256', label: 'Stranger' })
    await vault.deleteKey(stranger.key_id)
    if (!owner) throw new Error('The demo vault has no key.')
    const expiresAt = Math.floor(Date.now() / 1000) + 3600
    const made = await vault.client.newOriginToken({
      audience_did: helper.did,
      command: '/msg',
      policy: [['like', '.to', '*@example.com']],
      expires_at: expiresAt,
      key_id: owner.key_id,
    })
    return {
      vault,
      owner: { keyId: owner.key_id, did: owner.did },
      helper: { keyId: helper.key_id, did: helper.did },
      stranger: stranger.did,
      token: made.token,
      expiresAt,
      passphrase,
    }
  } catch (error) {
    await vault.cleanup()
    throw error
  }
}
