import type { Enclave, EnclaveInput } from '@keyhole/enclave'
import type { KeyType } from '../enclave/enclave-status.ts'
import { callPlugin } from '../enclave/plugin.ts'

/** A private key that was made elsewhere. */
export interface ForeignKey {
  /** PEM, base64 or hex of DER, a JWK's JSON, or the words of a seed phrase. A secret. */
  readonly text: string
  /** Default: recognised. */
  readonly format?: 'pkcs8' | 'jwk' | 'bip39'
  /** Of a seed phrase: which key to derive. Default `ed25519`. */
  readonly keyType?: KeyType
  /** Of a seed phrase: where the key is derived. Default `m/44'/0'/0'` (Ed25519), `m/44'/60'/0'/0/0` (secp256k1). */
  readonly path?: string
  /** Of a seed phrase: the passphrase that belongs to it, where it has one. */
  readonly mnemonicPassphrase?: string
}

/** Which key a text holds: nothing of it is secret. */
export interface KeyPreview {
  readonly keyType: KeyType
  readonly did: string
  /** The address of an account whose first key it would be. */
  readonly address: string
  /** Of a seed phrase: where the key was derived. */
  readonly path?: string
}

/** A key from elsewhere in the plugin's shape. */
export function foreignKeyInput({
  text,
  format,
  keyType,
  path,
  mnemonicPassphrase,
}: ForeignKey): EnclaveInput<'import_key'>['key'] {
  return {
    text,
    ...(format && { format }),
    ...(keyType && { key_type: keyType }),
    ...(path?.trim() && { path: path.trim() }),
    ...(mnemonicPassphrase && { mnemonic_passphrase: mnemonicPassphrase.normalize('NFKD') }),
  }
}

/**
 * Which key a text holds, before anything is made of it. Needs no account.
 *
 * @throws VaultError OPERATION_FAILED: it holds none that can be read, and why; INVALID_KEY_TYPE
 */
export async function previewKey(enclave: Enclave, key: ForeignKey): Promise<KeyPreview> {
  const input = { key: foreignKeyInput(key) }
  const failure = 'Failed to read the key'
  const { key_type, did, address, path } = await callPlugin(enclave, 'preview_key', input, failure)
  return { keyType: key_type, did, address, ...(path && { path }) }
}
