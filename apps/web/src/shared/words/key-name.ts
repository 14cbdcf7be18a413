import type { KeyInfo } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import { tailOf } from './who.ts'

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

/**
 * A key's name: its label, or its number and the end of its DID.
 * @param keys all keys of the vault, in its order
 */
export function keyName(key: KeyInfo, keys: readonly KeyInfo[]): string {
  if (key.label !== undefined) return key.label
  const dids = keys.map(({ did }) => did)
  const tail = tailOf(key.did, dids)
  const number = dids.indexOf(key.did) + 1
  // Its list may not have it yet, or no longer.
  return number === 0 ? t`Key (${tail})` : t`Key ${number} (${tail})`
}
