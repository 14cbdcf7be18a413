import { plural, t } from '@lingui/core/macro'
import { type Expiry, type ExpiryChoice, readExpiry } from '../grants/expiry.ts'
import { isCurrency, minorDigits, parseMoney } from '../words/payment.ts'
import { didProblem } from '../words/recognise.ts'

/** The command of every spending mandate. */
export const PAYMENT_COMMAND = '/payment/authorize'

/** A spending mandate as it is being filled in. */
export interface MandateDraft {
  audience: string
  /** ISO 4217. */
  currency: string
  /** Most for one payment, as typed, in the currency's own units. */
  most: string
  /** Whom it may be paid to, exactly as the payment names it; empty is anyone. */
  payee: string
  expiry: ExpiryChoice
  expiresOn: string
  label: string
}

export const EMPTY_MANDATE: MandateDraft = {
  audience: '',
  currency: 'GBP',
  most: '',
  payee: '',
  expiry: '30d',
  expiresOn: '',
  label: '',
}

export function isMandateDraft(value: unknown): value is MandateDraft {
  return typeof value === 'object' && value !== null && 'most' in value && 'currency' in value
}

export interface MandateProblems {
  audience?: string
  currency?: string
  most?: string
  expiry?: string
}

export interface ReadMandate {
  problems: MandateProblems
  ok: boolean
  policy: unknown[]
  expiresAt: number | undefined
}

/** @param now milliseconds */
export function readMandate(draft: MandateDraft, now: number): ReadMandate {
  const problems: MandateProblems = {}
  const audience = didProblem(draft.audience)
  if (audience) problems.audience = audience
  const currency = draft.currency.trim().toUpperCase()
  if (!isCurrency(currency)) problems.currency = t`Three letters of a currency, such as GBP or EUR.`
  const most = parseMoney(draft.most, currency)
  if (most === undefined) problems.most = amountProblem(currency)
  else if (most === 0n) problems.most = t`A mandate of nothing lets nobody pay.`
  const expiry: Expiry = readExpiry(draft.expiry, draft.expiresOn, now)
  if ('problem' in expiry) problems.expiry = expiry.problem
  return {
    problems,
    ok: Object.keys(problems).length === 0,
    policy: problems.currency || most === undefined ? [] : mandatePolicy(most, currency, draft.payee.trim()),
    expiresAt: 'at' in expiry ? expiry.at : undefined,
  }
}

function amountProblem(currency: string): string {
  const digits = minorDigits(currency)
  if (digits === 0) return t`An amount such as 2500, with no digits after the point.`
  const example = `25.${'0'.repeat(digits)}`
  return plural(digits, {
    one: `An amount such as ${example}, with at most # digit after the point.`,
    other: `An amount such as ${example}, with at most # digits after the point.`,
  })
}

/**
 * The policy of a mandate. The lower bound keeps out what is no payment: a negative amount is below every limit.
 * @param most minor units
 */
export function mandatePolicy(most: bigint, currency: string, payee: string): unknown[] {
  const amount = most <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(most) : most
  return [
    ['>', '.amount', 0],
    ['<=', '.amount', amount],
    ['==', '.currency', currency],
    ...(payee === '' ? [] : [['==', '.payee', payee]]),
  ]
}

/** A common case, to start a mandate from. */
export interface MandateTemplate {
  id: string
  name: string
  fill: Pick<MandateDraft, 'most' | 'payee' | 'expiry' | 'label'>
}

/** The common cases, in the language at hand. A payee is what the payment itself will say, and stays as it is. */
export function mandateTemplates(): readonly MandateTemplate[] {
  return [
    {
      id: 'shop',
      name: t`One shop, small sums`,
      fill: { most: '50', payee: 'Corner Shop', expiry: '30d', label: t`Corner shop` },
    },
    {
      id: 'agent',
      name: t`An agent for a day`,
      fill: { most: '20', payee: '', expiry: '24h', label: t`Errand` },
    },
    {
      id: 'bill',
      name: t`A yearly bill`,
      fill: { most: '240', payee: 'Power Company', expiry: '1y', label: t`Electricity` },
    },
  ]
}
