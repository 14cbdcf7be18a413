import type { MandateBudget } from '@keyhole/vault'
import { plural, t } from '@lingui/core/macro'
import { type Expiry, type ExpiryChoice, readExpiry } from '../../../shared/grant-form/expiry.ts'
import { isCurrency, minorDigits } from '../../../shared/words/currency.ts'
import { money, parseMoney, typedMoney } from '../../../shared/words/payment.ts'
import { audienceProblem } from '../../../shared/words/recognise.ts'
import { readPayees } from './payee.ts'

/** A spending mandate as it is being filled in. */
export interface MandateDraft {
  /** Who makes use of it: the holder of a DID, or this vault by itself. */
  by: 'holder' | 'itself'
  audience: string
  /** Whether this vault counts over a period, or each payment stands for itself. */
  counted: 'budget' | 'each'
  /** Whether it names the shops, or leaves the choice to its holder, which this vault by itself never does. */
  shops: 'named' | 'any'
  /** Addresses of the shops that it names. */
  payees: string
  /** ISO 4217. */
  currency: string
  /** Least and most for one payment, as typed, in the currency's own units. */
  least: string
  most: string
  period: MandateBudget['period']
  /** The budget of a period: how much in all, how many payments. */
  total: string
  times: string
  begin: 'now' | 'on'
  beginsOn: string
  expiry: ExpiryChoice
  expiresOn: string
  label: string
  /** The key that signs; the account's default when empty. */
  keyId: string
}

export const EMPTY_MANDATE: MandateDraft = {
  by: 'holder',
  audience: '',
  counted: 'budget',
  shops: 'named',
  payees: '',
  currency: 'GBP',
  least: '',
  most: '',
  period: 'week',
  total: '',
  times: '',
  begin: 'now',
  beginsOn: '',
  expiry: '30d',
  expiresOn: '',
  label: '',
  keyId: '',
}

export function isMandateDraft(value: unknown): value is MandateDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(EMPTY_MANDATE).every(([name, empty]) => typeof Reflect.get(value, name) === typeof empty)
  )
}

/** Whether this vault keeps a count for it: what it does by itself is never without one. */
export function isCounted({ by, counted }: MandateDraft): boolean {
  return by === 'itself' || counted === 'budget'
}

export interface MandateProblems {
  audience?: string
  payees?: string
  currency?: string
  least?: string
  most?: string
  total?: string
  times?: string
  begin?: string
  expiry?: string
}

/** What of a draft could be read, and what stands in its way. Amounts in minor units, times in seconds. */
export interface ReadMandate {
  readonly problems: MandateProblems
  readonly ok: boolean
  readonly currency: string
  readonly payees: readonly string[]
  readonly min: number | undefined
  readonly max: number | undefined
  readonly budget: MandateBudget
  readonly notBefore: number | undefined
  readonly expiresAt: number | undefined
  /** The limits of one payment, as the token has them; empty while they cannot be said. */
  readonly policy: readonly unknown[]
}

/** @param now milliseconds */
export function readMandate(draft: MandateDraft, now: number): ReadMandate {
  const problems: MandateProblems = {}
  const audience = draft.by === 'holder' ? audienceProblem(draft.audience) : undefined
  if (audience) problems.audience = audience
  const isAny = draft.shops === 'any' && draft.by === 'holder'
  const sites = isAny ? { payees: [] } : readPayees(draft.payees)
  if ('problem' in sites) problems.payees = sites.problem
  const payees = 'payees' in sites ? sites.payees : []
  if (!isAny && 'payees' in sites && payees.length === 0)
    problems.payees =
      draft.by === 'itself'
        ? t`Name each site it may pay. You won’t be asked before it does.`
        : t`Name each shop that may be paid, or choose “Any shop”.`
  const currency = draft.currency.trim().toUpperCase()
  if (!isCurrency(currency)) problems.currency = t`Three letters of a currency, such as GBP or EUR.`
  const read = (name: 'least' | 'most' | 'total') => {
    const minor = parseMoney(draft[name], currency)
    if (minor === undefined) problems[name] = amountProblem(currency)
    else if (minor === 0n) problems[name] = t`Enter more than zero.`
    else if (minor > BigInt(Number.MAX_SAFE_INTEGER)) problems[name] = t`That’s too large for a payment.`
    else return Number(minor)
    return undefined
  }
  const max = read('most')
  const min = draft.least.trim() === '' ? undefined : read('least')
  if (min !== undefined && max !== undefined && min > max)
    problems.least = t`The minimum is more than the maximum.`
  const amount = !isCounted(draft) || draft.total.trim() === '' ? undefined : read('total')
  if (amount !== undefined && amount < (min ?? 1)) problems.total = t`It is less than the smallest payment.`
  else if (amount !== undefined && max !== undefined && max > amount)
    problems.most = t`This is more than the whole budget, ${money(amount, currency)}: no payment could be as large.`
  const payments = isCounted(draft) && draft.times.trim() !== '' ? readTimes(draft.times) : undefined
  if (Number.isNaN(payments)) problems.times = t`A whole number of payments, 1 or more.`
  if (isCounted(draft) && draft.total.trim() === '' && draft.times.trim() === '')
    problems.total = t`Enter a total, a number of payments, or both.`
  const begin = draft.begin === 'on' ? readExpiry('on', draft.beginsOn, now) : { at: undefined }
  if ('problem' in begin) problems.begin = begin.problem
  const notBefore = 'at' in begin ? begin.at : undefined
  const expiry: Expiry = readExpiry(draft.expiry, draft.expiresOn, now)
  if ('problem' in expiry) problems.expiry = expiry.problem
  const expiresAt = 'at' in expiry ? expiry.at : undefined
  if (notBefore !== undefined && expiresAt !== undefined && expiresAt <= notBefore)
    problems.expiry = t`It would expire before it begins.`
  const isBounded = max !== undefined && !problems.currency && !problems.least && !problems.payees
  return {
    problems,
    ok: Object.keys(problems).length === 0,
    ...{ currency, payees, min, max, notBefore, expiresAt },
    budget: {
      period: draft.period,
      ...(amount !== undefined && { amount }),
      ...(payments !== undefined && !Number.isNaN(payments) && { payments }),
    },
    policy: isBounded ? mandatePolicy({ min, max, currency, payees }) : [],
  }
}

/** The labels of the fields that are still empty or wrong, in the form's order. */
export function neededFields({ total }: MandateDraft, { problems }: ReadMandate): string[] {
  const labels: readonly (readonly [keyof MandateProblems, string])[] = [
    ['audience', t`Who`],
    ['payees', t`Paid to`],
    ['most', t`Maximum per payment`],
    ['least', t`Minimum per payment`],
    ['currency', t`Currency`],
    // An empty total is wrong only where the number of payments is empty too: either will do.
    ['total', total.trim() === '' ? t`Total or payments` : t`Total`],
    ['times', t`Payments`],
    ['begin', t`Starts`],
    ['expiry', t`Expires`],
  ]
  return labels.flatMap(([name, label]) => (problems[name] === undefined ? [] : [label]))
}

/** @returns NaN if the text isn't a number of payments */
function readTimes(text: string): number {
  const times = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0
  return times > 0 ? times : Number.NaN
}

/** Amounts to show how one is typed, for one payment and for all of a period. A unit without decimal places is worth little. */
export function exampleAmounts(currency: string): { one: string; all: string } {
  const times = minorDigits(currency) === 0 ? 100 : 1
  return { one: typedMoney(25 * times, currency), all: typedMoney(100 * times, currency) }
}

function amountProblem(currency: string): string {
  const digits = minorDigits(currency)
  const { one: example } = exampleAmounts(currency)
  if (digits === 0) return t`An amount like ${example}, with no decimal places.`
  return plural(digits, {
    one: `An amount like ${example}, with at most # decimal place.`,
    other: `An amount like ${example}, with at most # decimal places.`,
  })
}

/** What limits each payment by itself. Amounts in minor units; no payees: anyone. */
export interface PaymentLimits {
  readonly min?: number | undefined
  readonly max: number
  readonly currency: string
  readonly payees: readonly string[]
}

/** The policy of a mandate. The lower bound keeps out negative amounts, which are below every limit. */
export function mandatePolicy({ min, max, currency, payees }: PaymentLimits): unknown[] {
  const named = payees.map((payee) => ['==', '.payee', payee])
  return [
    min === undefined ? ['>', '.amount', 0] : ['>=', '.amount', min],
    ['<=', '.amount', max],
    ['==', '.currency', currency],
    ...(named.length > 1 ? [['or', named]] : named),
  ]
}
