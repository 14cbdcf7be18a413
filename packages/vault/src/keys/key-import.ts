import type { Enclave, EnclaveInput } from '@keyhole/enclave'
import type { KeyType } from '../enclave/enclave-status.ts'
import { callPlugin } from '../enclave/plugin.ts'

/** A private key created elsewhere. */
export interface ForeignKey {
  /** PEM, base64 or hex of DER, a JWK's JSON, or the words of a seed phrase. A secret. */
  readonly text: string
  /** Default: detected. */
  readonly format?: 'pkcs8' | 'jwk' | 'bip39'
  /** For a seed phrase: which key to derive. Default `ed25519`. */
  readonly keyType?: KeyType
  /** For a seed phrase: the derivation path. Default `m/44'/0'/0'` (Ed25519), `m/44'/60'/0'/0/0` (secp256k1). */
  readonly path?: string
  /** For a seed phrase: its passphrase, if it has one. */
  readonly mnemonicPassphrase?: string
}

/** Describes the key in a text. Nothing in it is secret. */
export interface KeyPreview {
  readonly keyType: KeyType
  readonly did: string
  /** The address of an account with this as its first key. */
  readonly address: string
  /** For a seed phrase: the derivation path used. */
  readonly path?: string
}

/** An imported key in the plugin's shape. */
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
 * Reads which key a text contains, without importing it. Needs no account.
 * @throws VaultError OPERATION_FAILED: no readable key, and why; INVALID_KEY_TYPE
 */
export async function previewKey(enclave: Enclave, key: ForeignKey): Promise<KeyPreview> {
  const input = { key: foreignKeyInput(key) }
  const failure = 'Failed to read the key'
  const { key_type, did, address, path } = await callPlugin(enclave, 'preview_key', input, failure)
  return { keyType: key_type, did, address, ...(path && { path }) }
}
