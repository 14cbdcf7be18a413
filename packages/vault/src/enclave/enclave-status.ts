import type { EnclaveAnswer, EnclaveKey, EnclaveStatus, KeyType } from '@keyhole/enclave'

export type { EnclaveStatus, KeyType }

/** The answer to a change: the new status, and the sealed state to store. */
export type SealedResult = EnclaveAnswer<'lock_vault'>

/** An account's key, without its private half, in the plugin's own shape; `label` only while unlocked. */
export type KeyInfo = EnclaveKey

/** @returns the key, without an empty label */
export function toKeyInfo({ label, ...key }: EnclaveKey): KeyInfo {
  return label ? { ...key, label } : key
}
