import type { EnclaveAnswer, PaymentTerms, AskedPayment as PluginPayment } from '@keyhole/enclave'
import * as v from 'valibot'
import { refused } from '../base/errors.ts'

/**
 * A payment as a site requests it: `origin` from the browser, `value` as a decimal, `currency` by ISO 4217, and the
 * payee's reference.
 */
export interface AskedPayment extends PluginPayment {
  /** The did:key the site says it signs its receipt with. Stored, but not signed. */
  readonly receiptKey?: string
}

/** A payment in the terms that are signed; `payee` is the site's `did:web`. */
export type { PaymentTerms }

/** What the payee says happened to a payment. */
export interface PaymentReceipt {
  /** The checked text. */
  readonly token: string
  /** When it was added, in milliseconds since 1970. */
  readonly at: number
  readonly outcome: 'ok' | 'error'
}

/** An authorised payment as stored: sealed, as long as the account exists. */
export interface PaymentRecord extends PaymentTerms {
  /** CID of the authorisation. */
  readonly id: string
  /** The authorisation as sent to the payee. */
  readonly token: string
  /** CID of the task that a receipt refers to. */
  readonly task: string
  /** When it was signed, and when it expires, in milliseconds since 1970. */
  readonly at: number
  readonly expiresAt: number
  /** DID of the account's key that signed it. */
  readonly issuer: string
  /**
   * `hand`: a person approved it; `mandate`: the vault's own mandate did; `request`: a holder of a mandate asked for
   * it.
   */
  readonly by: 'hand' | 'mandate' | 'request'
  /** CID of the mandate it counts against. */
  readonly mandate?: string
  /** DID of the one who asked for it. */
  readonly requester?: string
  readonly receiptKey?: string
  readonly receipt?: PaymentReceipt
}

const minorUnits = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const digits = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8))
const time = v.pipe(v.number(), v.finite())

/** A record before it is sealed. Fields from a later version are kept. */
export const paymentRecord = v.looseObject({
  payee: v.string(),
  amount: minorUnits,
  currency: v.string(),
  digits,
  order: v.string(),
  id: v.string(),
  token: v.string(),
  task: v.string(),
  at: time,
  expiresAt: time,
  issuer: v.string(),
  by: v.picklist(['hand', 'mandate', 'request']),
  mandate: v.exactOptional(v.string()),
  requester: v.exactOptional(v.string()),
  receiptKey: v.exactOptional(v.string()),
  receipt: v.exactOptional(
    v.looseObject({ token: v.string(), at: time, outcome: v.picklist(['ok', 'error']) }),
  ),
})

export type AuthorisedResult = EnclaveAnswer<'authorize_payment'>

/** How a payment was approved. */
export type PaymentBasis = Pick<PaymentRecord, 'by' | 'mandate' | 'requester' | 'receiptKey'>

export function toTerms({ payee, amount, currency, digits: behind, order }: PaymentTerms): PaymentTerms {
  return { payee, amount, currency, digits: behind, order }
}

/** @param at milliseconds since 1970 */
export function toPaymentRecord(made: AuthorisedResult, basis: PaymentBasis, at: number): PaymentRecord {
  const { cid: id, token, task, issuer, expires_at, payment } = made
  return {
    ...{ id, token, task, at, expiresAt: expires_at * 1000, issuer },
    ...basis,
    ...toTerms(payment),
  }
}

/** Longer than any did:key. */
const LONGEST_KEY = 1_000

/**
 * A payment in the plugin's shape.
 * @throws VaultError OPERATION_FAILED, `InvalidPayment`: `receiptKey` isn't a did:key
 */
export function askedInput({ origin, value, currency, order, receiptKey }: AskedPayment): PluginPayment {
  const isKey = (did: string) => did.length <= LONGEST_KEY && /^did:key:z[1-9A-HJ-NP-Za-km-z]+$/.test(did)
  if (receiptKey !== undefined && !isKey(receiptKey)) {
    throw refused('InvalidPayment', { why: 'ReceiptKey' })
  }
  return { origin, value, currency, order }
}

/** An amount in the currency's main unit, as a decimal: `25.00`. */
export function decimalOf({ amount, digits: behind }: Pick<PaymentTerms, 'amount' | 'digits'>): string {
  if (behind === 0) return `${amount}`
  const all = `${amount}`.padStart(behind + 1, '0')
  return `${all.slice(0, -behind)}.${all.slice(-behind)}`
}
