import type { Mandate, PaymentRecord } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { isOpening } from './is-opening.ts'
import { useVaultQuery } from './vault-query.ts'

/** Whether a list has been read. */
interface Reading {
  /** True until it has been read once. */
  readonly loading: boolean
  /** Why it could not be read. The last readable version stays. */
  readonly error: unknown
}

const NO_MANDATES: readonly Mandate[] = []
const NO_PAYMENTS: readonly PaymentRecord[] = []

/** A list sealed with the vault. Read while it is unlocked, and again when the account changes in any tab. */
function useSealed<T>(name: string, none: readonly T[], read: () => Promise<readonly T[]>) {
  const { phase } = useVaultSnapshot()
  const open = phase === 'unlocked'
  const { data, failed: error } = useVaultQuery(name, read, { enabled: open })
  const list = (open && data) || none
  const loading = isOpening(phase) || (open && data === undefined && error === undefined)
  return { list, loading, error }
}

/** The mandates with a budget, oldest first. Empty while the vault is locked. */
export function useMandates(): Reading & { readonly mandates: readonly Mandate[] } {
  const vault = useVault()
  const { list, ...reading } = useSealed('mandates', NO_MANDATES, () => vault.mandates.list())
  return { ...reading, mandates: list }
}

/** The payments, newest first. Empty while the vault is locked. */
export function usePayments(): Reading & { readonly payments: readonly PaymentRecord[] } {
  const vault = useVault()
  const { list, ...reading } = useSealed('payments', NO_PAYMENTS, () => vault.payments.list())
  return { ...reading, payments: list }
}
