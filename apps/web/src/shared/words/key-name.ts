import type { KeyInfo } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import { shorten } from './who.ts'

const NAMES: Readonly<Record<string, string>> = {
  ed25519: 'Ed25519',
  p256: 'P-256',
  secp256k1: 'secp256k1',
}

interface KeyTypeOption {
  value: KeyInfo['key_type']
  label: string
  note: string
}

/** The key types under their usual names, with what each is good for. */
export function keyTypes(): readonly KeyTypeOption[] {
  return [
    { value: 'ed25519', label: 'Ed25519', note: t`The usual choice: fast, and read everywhere.` },
    { value: 'p256', label: 'P-256', note: t`What secure elements, passkeys and browsers use.` },
    { value: 'secp256k1', label: 'secp256k1', note: t`What wallets and chains use.` },
  ]
}

/** A key type's name. */
export function keyTypeName(type: string): string {
  return NAMES[type] ?? type
}

/** A key's name: its label, or its type and the end of its DID. */
export function keyName(key: KeyInfo): string {
  return key.label ?? `${keyTypeName(key.key_type)} ${shorten(key.did, 4, 6).replace('did:key:', '')}`
}
