import { plural, t } from '@lingui/core/macro'
import { formatTag } from '../language/language.ts'
import type { Leaf, Simple } from '../policy/simplify.ts'
import type { Comparison } from '../policy/statement.ts'
import { isCurrency, minorDigits } from './currency.ts'
import { recognise } from './recognise.ts'
import { quotable } from './value.ts'
import { type Contacts, nameWords, tailOf } from './who.ts'

/**
 * An amount in minor units as money: 2500 GBP is "£25.00". Exact for integers of any size. Uses only symbols that are unique in the
 * reader's language: a dollar says which one it is. Its space, if it has one, breaks no line.
 * @param digits decimal digits from the record with the amount, if there is one
 */
export function money(minor: number | bigint, currency: string, digits = minorDigits(currency)): string {
  const whole = BigInt(minor)
  const size = (whole < 0n ? -whole : whole).toString().padStart(digits + 1, '0')
  const units = `${whole < 0n ? '-' : ''}${size.slice(0, size.length - digits)}`
  const exact: unknown = digits === 0 ? units : `${units}.${size.slice(-digits)}`
  if (!isDecimal(exact)) return `${units}\u00a0${currency}`
  try {
    const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    const style = { style: 'currency', currency, currencyDisplay: 'symbol', ...shown } as const
    // A decimal text keeps every digit. A number would be rounded.
    return new Intl.NumberFormat(formatTag(), style).format(exact)
  } catch {
    return `${currency}\u00a0${exact}`
  }
}

function isDecimal(text: unknown): text is `${number}` {
  return typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text)
}

/** Whether the reader's language writes 1.000,50 where English writes 1,000.50. */
function hasDecimalComma(): boolean {
  return new Intl.NumberFormat(formatTag()).formatToParts(1.5).some((part) => part.value === ',')
}

/**
 * Typed money ("25", "25.5", "1,000.00"; in German "25,50", "1.000,00") in minor units of a currency.
 * @returns undefined if it isn't an amount or has more decimal digits than the currency
 */
export function parseMoney(text: string, currency: string): bigint | undefined {
  const digits = minorDigits(currency)
  const typed = text.trim()
  const swapped = typed.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ','))
  const match = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d*))?$/.exec(hasDecimalComma() ? swapped : typed)
  if (!match) return undefined
  const fraction = match[2] ?? ''
  if (fraction.length > digits) return undefined
  return BigInt(`${(match[1] ?? '').replaceAll(',', '')}${fraction.padEnd(digits, '0')}`)
}

/**
 * An amount in minor units in the ways in which people type one to look for it: "£1,000.00", "£1000.00", "1000.00" and "1000,00", with the
 * currency's code.
 */
export function amountsToFind(
  minor: number | bigint,
  currency: string,
  digits = minorDigits(currency),
): string {
  const size = BigInt(minor)
    .toString()
    .padStart(digits + 1, '0')
  const [units, rest] = [size.slice(0, size.length - digits), size.slice(size.length - digits)]
  const [point, comma] = digits === 0 ? [units, units] : [`${units}.${rest}`, `${units},${rest}`]
  // No one types the space that breaks no line.
  const shown = money(minor, currency, digits).replace(/\s/g, ' ')
  return [shown, `${symbolOf(currency)}${point}`, comma, currency].join(' ')
}

/** The shortest sign of a currency, which it may share with others: "$", "£". Its code if it has none. */
function symbolOf(currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const parts = new Intl.NumberFormat(formatTag(), style).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}

/** An amount in a currency's own units as a person types it, with all its decimal places: `parseMoney` reads it in the same language. */
export function typedMoney(units: number, currency: string): string {
  const digits = minorDigits(currency)
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }
  return new Intl.NumberFormat(formatTag(), shown).format(units)
}

function amountWords(operator: Comparison, sum: string): string {
  switch (operator) {
    case '==':
      return t`the amount is exactly ${sum}`
    case '!=':
      return t`the amount is not ${sum}`
    case '<':
      return t`the amount is less than ${sum}`
    case '<=':
      return t`the amount is at most ${sum}`
    case '>':
      return t`the amount is more than ${sum}`
    case '>=':
      return t`the amount is at least ${sum}`
  }
}

/** The only currency that some limits allow, and its number of decimal digits. */
export interface Pinned {
  readonly currency: string
  readonly digits?: number | undefined
}

/**
 * The currency that limits require. Two at once allow nothing, so no amount is shown in either. Nor is one shown in a currency with unknown
 * minor units.
 */
export function pinnedCurrency(limits: readonly Simple[], digits?: number): Pinned | undefined {
  const values = limits.flatMap((each) =>
    each.kind === 'compare' && each.selector === '.currency' && each.operator === '==' ? [each.value] : [],
  )
  const [only] = values
  return values.length === 1 && typeof only === 'string' && isCurrency(only)
    ? { currency: only, digits }
    : undefined
}

/** A comparison in words for a payment, whose fields Keyhole knows. Undefined if it reads as for any other call. */
export function paymentLeaf(leaf: Leaf, pinned: Pinned | undefined): string | undefined {
  if (leaf.kind !== 'compare') return undefined
  const { selector, operator, value } = leaf
  if (selector === '.amount' && operator === '>' && value === 0) return t`the amount is above zero`
  if (selector === '.amount' && pinned !== undefined && isInteger(value))
    return amountWords(operator, money(value, pinned.currency, pinned.digits))
  if (operator !== '==' || typeof value !== 'string') return undefined
  if (selector === '.currency' && value === pinned?.currency) return t`it is paid in ${value}`
  return selector === '.payee' ? t`it goes to ${payeeWords(value)}` : undefined
}

/** "Above zero" and "at most", which every mandate has, as one sentence. Undefined for any other two limits. */
export function amountRange(least: Simple, most: Simple, pinned: Pinned): string | undefined {
  if (least.kind !== 'compare' || most.kind !== 'compare') return undefined
  const isRange = least.selector === '.amount' && most.selector === '.amount' && most.operator === '<='
  if (!isRange || least.operator !== '>' || least.value !== 0 || !isInteger(most.value)) return undefined
  return t`the amount is above zero and at most ${money(most.value, pinned.currency, pinned.digits)}`
}

/** Who a payment goes to, for a sentence: a site by its host. Always in full, because someone else's could have the same ends. */
export function payeeWords(payee: string): string {
  const site = siteOf(payee)
  if (site !== undefined) return site
  return isDid(payee) ? payee : t`“${quotable(payee)}”`
}

/** For completed payments: the name that the owner gave it, with its host, or the end of its key. */
export function payeeName(payee: string, { named }: Contacts): string {
  const name = named.get(payee)?.name
  return name === undefined ? payeeWords(payee) : `${nameWords(name)} (${siteOf(payee) ?? tailOf(payee)})`
}

/** The host of a `did:web` without a path, with its port if it has one: "shop.example", "localhost:4610". */
export function siteOf(did: string): string | undefined {
  const [, host, port] = /^did:web:([a-z0-9.-]+)(?:%3A(\d{1,5}))?$/.exec(did) ?? []
  if (host === undefined) return undefined
  return port === undefined ? host : `${host}:${port}`
}

/** What may be spent in each UTC day, ISO week or UTC month. At least one of the two limits is set. */
export interface Budget {
  readonly period: 'day' | 'week' | 'month'
  /** In minor units. */
  readonly amount?: number
  /** The number of payments. */
  readonly payments?: number
}

/** A number of payments in words. */
export function countWords(payments: number): string {
  return plural(payments, { one: '# payment', other: '# payments' })
}

/** What a budget allows: "£120.00 a week and 3 payments a week". */
export function budgetWords({ period, amount, payments }: Budget, currency: string, digits?: number): string {
  const sum = amount === undefined ? undefined : each(money(amount, currency, digits), period)
  const count = payments === undefined ? undefined : each(countWords(payments), period)
  // Each with its period: "£120.00 and 3 payments a week" could be £120.00 for ever.
  return sum === undefined || count === undefined ? (sum ?? count ?? '') : t`${sum} and ${count}`
}

function each(all: string, period: Budget['period']): string {
  switch (period) {
    case 'day':
      return t`${all} a day`
    case 'week':
      return t`${all} a week`
    case 'month':
      return t`${all} a month`
  }
}

/** Alternatives in a sentence: "a, b or c". */
export function anyOf(names: readonly string[]): string {
  return new Intl.ListFormat(formatTag(), { type: 'disjunction' }).format(names)
}

function isDid(text: string): boolean {
  const { kind, value } = recognise(text)
  return kind === 'did' && value === text
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
}
