import type { EnclaveInput, EnclaveMandate, MandateBudget, MandateUse } from '@keyhole/enclave'

/** What may be spent in each UTC day, ISO week or UTC month: at least one of the two is there. */
export type { MandateBudget }

/** What a mandate with a budget is to allow. Amounts are in minor units, times in seconds since 1970. */
export interface MandateTerms {
  /** DID of the one who may ask. Default: nobody; it is this vault's own automatic approval. */
  readonly audienceDid?: string
  /** `did:web` of those who may be paid. Default: anyone; the vault's own mandate has to name them. */
  readonly payees?: readonly string[]
  /** The least and the most of one payment. */
  readonly min?: number
  readonly max: number
  /** ISO 4217. */
  readonly currency: string
  readonly notBefore?: number
  /** Absent: 30 days from now. Null: until it is ended. */
  readonly expiresAt?: number | null
  readonly budget: MandateBudget
  /** The key that signs. Default: the account's default key. */
  readonly keyId?: string
  /** What the person calls it; sealed in storage. */
  readonly label?: string
}

/** What was spent since a moment, in seconds since 1970; amounts are in minor units. */
export type MandateCount = MandateUse

/** A mandate with a budget, and its count. Amounts are in minor units, times in seconds since 1970. */
export interface Mandate {
  /** Of the delegation of `/payment/request`. */
  readonly cid: string
  /** DID of the account's key that signed it, and that signs what is authorised under it. */
  readonly issuer: string
  /** DID of the one who may ask; the issuer: nobody else. */
  readonly audience: string
  /** Who may be paid; empty: anyone. */
  readonly payees: readonly string[]
  readonly min?: number
  readonly max: number
  readonly currency: string
  /** Digits that the currency has behind the point. */
  readonly digits: number
  readonly notBefore?: number
  readonly expiresAt?: number
  readonly budget: MandateBudget
  readonly createdAt: number
  /** In the period that was counted last; in all of them. */
  readonly used: MandateCount
  readonly total: MandateCount
  /** What is left, and when the period ends. */
  readonly remaining: { readonly amount?: number; readonly payments?: number; readonly until: number }
  /** Nothing is authorised under it until a person confirms it. */
  readonly suspended: boolean
  /** It is over for good. */
  readonly ended: boolean
  /** It is this vault's own automatic approval. */
  readonly own: boolean
}

/** A mandate in our own words. */
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

/** Terms as the plugin takes them. */
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
