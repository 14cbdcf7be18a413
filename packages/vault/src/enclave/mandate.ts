import type { EnclaveInput, EnclaveMandate, MandateBudget, MandateUse } from '@keyhole/enclave'
import type { LineDevice } from '../base/act.ts'

/** What may be spent per UTC day, ISO week or UTC month: at least one of the two limits. */
export type { MandateBudget }

/** The terms of a new mandate with a budget. Amounts are in minor units, times in seconds since 1970. */
export interface MandateTerms {
  /** DID of the one who may ask. Default: no one; the mandate is this vault's own automatic approval. */
  readonly audienceDid?: string
  /** `did:web` of those who may be paid. Default: anyone; the vault's own mandate must name them. */
  readonly payees?: readonly string[]
  /** Minimum and maximum of one payment. */
  readonly min?: number
  readonly max: number
  /** ISO 4217. */
  readonly currency: string
  readonly notBefore?: number
  /** Absent: 30 days from now. Null: until it is revoked. */
  readonly expiresAt?: number | null
  readonly budget: MandateBudget
  /** The key that signs. Default: the account's default key. */
  readonly keyId?: string
  /** The person's name for it; sealed in storage. */
  readonly label?: string
}

/** What was spent since a time in seconds since 1970; amounts are in minor units. */
export type MandateCount = MandateUse

/** A mandate with a budget, and its count. Amounts are in minor units, times in seconds since 1970. */
export interface Mandate {
  /** CID of the `/payment/request` delegation. */
  readonly cid: string
  /** DID of the account's key that signed it, and that signs payments under it. */
  readonly issuer: string
  /** DID of the one who may ask; the issuer itself if no one else may. */
  readonly audience: string
  /** Who may be paid; empty: anyone. */
  readonly payees: readonly string[]
  readonly min?: number
  readonly max: number
  readonly currency: string
  /** Decimal digits of the currency. */
  readonly digits: number
  readonly notBefore?: number
  readonly expiresAt?: number
  readonly budget: MandateBudget
  readonly createdAt: number
  /** In the last counted period, and in total. */
  readonly used: MandateCount
  readonly total: MandateCount
  /** What is left, and when the period ends. */
  readonly remaining: { readonly amount?: number; readonly payments?: number; readonly until: number }
  /** Nothing is authorised under it until a person confirms it. */
  readonly suspended: boolean
  /** It has ended permanently. */
  readonly ended: boolean
  /** It is this vault's own automatic approval. */
  readonly own: boolean
  /** The device that counts it and authorises payments under it, if it isn't this one. The count is what that one has told. */
  readonly keeper?: LineDevice
}

/** A mandate in this package's terms. */
export function toMandate(view: EnclaveMandate): Mandate {
  const { cid, issuer, audience, payees = [], min, max, currency, digits, budget, remaining } = view
  const { not_before, expires_at, created_at, suspended, ended, own } = view
  return {
    ...{ cid, issuer, audience, payees, max, currency, digits, budget, remaining, suspended, ended, own },
    ...{ createdAt: created_at, used: view.used, total: view.total },
    ...(min !== undefined && { min }),
    ...(not_before !== undefined && { notBefore: not_before }),
    ...(expires_at !== undefined && { expiresAt: expires_at }),
  }
}

/** Terms in the plugin's shape. */
export function termsInput({
  audienceDid,
  payees,
  min,
  max,
  currency,
  ...terms
}: MandateTerms): EnclaveInput<'make_mandate'> {
  const { notBefore, expiresAt, budget, keyId } = terms
  return {
    ...{ max, currency, budget },
    ...(audienceDid !== undefined && { audience_did: audienceDid }),
    ...(payees !== undefined && { payees }),
    ...(min !== undefined && { min }),
    ...(notBefore !== undefined && { not_before: notBefore }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(keyId !== undefined && { key_id: keyId }),
  }
}
