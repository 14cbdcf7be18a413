import { t } from '@lingui/core/macro'
import { formatTag } from '../../lib/language.ts'
import { asStatement, type Comparison } from '../policy/statement.ts'
import { isCurrency, minorDigits } from './currency.ts'
import { statementWords } from './policy.ts'
import { recognise } from './recognise.ts'
import { quotable } from './value.ts'
import { shorten } from './who.ts'

/**
 * An amount in minor units as money: 2500 GBP is "£25.00". Exact for integers of any size. The symbol is the one that no other currency
 * has in the reader's language: a dollar says whose it is.
 * @param digits behind the point: those of the record that has the amount, where there is one
 */
export function money(minor: number | bigint, currency: string, digits = minorDigits(currency)): string {
  const whole = BigInt(minor)
  const size = (whole < 0n ? -whole : whole).toString().padStart(digits + 1, '0')
  const units = `${whole < 0n ? '-' : ''}${size.slice(0, size.length - digits)}`
  const exact: unknown = digits === 0 ? units : `${units}.${size.slice(-digits)}`
  if (!isDecimal(exact)) return `${units} ${currency}`
  try {
    const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    const style = { style: 'currency', currency, currencyDisplay: 'symbol', ...shown } as const
    // A decimal as text keeps every digit, where a number would be rounded.
    return new Intl.NumberFormat(formatTag(), style).format(exact).replace(/[\u00a0\u202f]/g, ' ')
  } catch {
    return `${currency} ${exact}`
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
 * Money as typed ("25", "25.5", "1,000.00"; in German "25,50", "1.000,00") in minor units of a currency.
 * @returns undefined when it is no amount or has more digits after the point than the currency
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

/** A field of a payment compared with a value, where the policy says no more of it than that. */
function readCompare(statement: unknown, field: string, operator: Comparison): unknown {
  const read = asStatement(statement)
  if ('problem' in read || read.kind !== 'compare') return undefined
  return read.selector === field && read.operator === operator ? read.value : undefined
}

/** A spending policy in words, with amounts as money where the currency is pinned. */
export function paymentWords(policy: readonly unknown[]): string[] {
  const pinned = policy
    .map((each) => readCompare(each, '.currency', '=='))
    .filter((each) => each !== undefined)
  // Two currencies at once let nothing through: no amount is told in either, nor in one whose minor unit nobody knows.
  const [only] = pinned.length === 1 ? pinned : []
  const currency = typeof only === 'string' && isCurrency(only) ? only : undefined
  const most = policy[1] === undefined ? undefined : readCompare(policy[1], '.amount', '<=')
  // "Above zero" and "at most", side by side as every mandate has them, read better as one.
  if (currency !== undefined && isInteger(most) && readCompare(policy[0], '.amount', '>') === 0) {
    const joined = t`the amount is above zero and at most ${money(most, currency)}`
    return [joined, ...policy.slice(2).map((statement) => paymentStatement(statement, currency))]
  }
  return policy.map((statement) => paymentStatement(statement, currency))
}

function paymentStatement(statement: unknown, currency: string | undefined): string {
  const payees = payeesOf(statement)
  if (payees) return t`it goes to ${anyOf(payees.map(payeeWords))}`
  const read = asStatement(statement)
  if ('problem' in read || read.kind !== 'compare') return statementWords(statement)
  const { selector, operator, value } = read
  if (selector === '.amount' && operator === '>' && value === 0) return t`the amount is above zero`
  if (selector === '.amount' && currency !== undefined && isInteger(value))
    return amountWords(operator, money(value, currency))
  if (selector === '.currency' && operator === '==' && value === currency && currency !== undefined)
    return t`it is paid in ${currency}`
  if (selector === '.payee' && operator === '==' && typeof value === 'string') {
    return t`it goes to ${payeeWords(value)}`
  }
  return statementWords(statement)
}

/** Several payees, one of which is to be paid; undefined for a statement that says anything else. */
function payeesOf(statement: unknown): string[] | undefined {
  const read = asStatement(statement)
  if ('problem' in read || read.kind !== 'or' || read.of.length === 0) return undefined
  const payees = read.of.map((each) =>
    each.kind === 'compare' && each.selector === '.payee' && each.operator === '==' ? each.value : undefined,
  )
  return payees.every((payee) => typeof payee === 'string') ? payees : undefined
}

/** Whom a payment goes to, as a sentence names it: a site by its host, whole, since its ends alone could be another's. */
export function payeeWords(payee: string): string {
  const site = siteOf(payee)
  if (site !== undefined) return site
  return isDid(payee) ? shorten(payee, 12) : `“${quotable(payee)}”`
}

/** The host of a `did:web` without a path, with its port where it has one: "shop.example", "localhost:4610". */
export function siteOf(did: string): string | undefined {
  const [, host, port] = /^did:web:([a-z0-9.-]+)(?:%3A(\d{1,5}))?$/.exec(did) ?? []
  if (host === undefined) return undefined
  return port === undefined ? host : `${host}:${port}`
}

/** One of several, as a sentence says it: "a, b or c". */
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
