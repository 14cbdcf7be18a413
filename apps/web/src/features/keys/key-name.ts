import type { KeyInfo } from '@keyhole/vault'
import { shorten } from '../words/who.ts'

/** The key types as people know them. */
export const KEY_TYPES: readonly { value: KeyInfo['key_type']; label: string; note: string }[] = [
  { value: 'ed25519', label: 'Ed25519', note: 'The usual choice: fast, and read everywhere.' },
  { value: 'p256', label: 'P-256', note: 'What secure elements, passkeys and browsers use.' },
  { value: 'secp256k1', label: 'secp256k1', note: 'What wallets and chains use.' },
]

/** A key type's name. */
export function keyTypeName(type: string): string {
  return KEY_TYPES.find((known) => known.value === type)?.label ?? type
}

/** What a key is called: its label, or its type and the end of its DID. */
export function keyName(key: KeyInfo): string {
  return key.label ?? `${keyTypeName(key.key_type)} ${shorten(key.did, 4, 6).replace('did:key:', '')}`
}
