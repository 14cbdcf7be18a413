import { asStatement } from '../policy/statement.ts'
import { statementWords } from './policy.ts'
import { shorten } from './who.ts'

/** How many digits of a currency's amount stand after the point (ISO 4217): 2 for GBP, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  try {
    return (
      new Intl.NumberFormat('en-GB', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits ?? 2
    )
  } catch {
    return 2
  }
}

/** Whether a text is a currency code that this browser knows: three letters of ISO 4217. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf('currency').includes(code)
}

/** An amount in minor units as money: 2500 GBP is "£25.00". Exact for integers of any size. */
export function money(minor: number | bigint, currency: string): string {
  const digits = minorDigits(currency)
  const whole = BigInt(minor)
  const sign = whole < 0n ? '-' : ''
  const figures = (whole < 0n ? -whole : whole).toString().padStart(digits + 1, '0')
  const units = figures.slice(0, figures.length - digits)
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = digits === 0 ? '' : `.${figures.slice(-digits)}`
  return `${sign}${symbol(currency)}${grouped}${fraction}`
}

function symbol(currency: string): string {
  try {
    const parts = new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    })
      .formatToParts(0)
      .find((part) => part.type === 'currency')
    const found = parts?.value ?? currency
    return /^[A-Z]+$/.test(found) ? `${found} ` : found
  } catch {
    return `${currency} `
  }
}

/**
 * Money as typed ("25", "25.5", "1,000.00") in minor units of a currency.
 * @returns undefined when it is no amount or has more digits after the point than the currency
 */
export function parseMoney(text: string, currency: string): bigint | undefined {
  const digits = minorDigits(currency)
  const match = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d*))?$/.exec(text.trim())
  if (!match) return undefined
  const fraction = match[2] ?? ''
  if (fraction.length > digits) return undefined
  return BigInt(`${(match[1] ?? '').replaceAll(',', '')}${fraction.padEnd(digits, '0')}`)
}

const AMOUNT_WORDS: Readonly<Record<string, string>> = {
  '==': 'the amount is exactly',
  '<': 'the amount is less than',
  '<=': 'the amount is at most',
  '>': 'the amount is more than',
  '>=': 'the amount is at least',
}

/** A spending policy in words, with amounts as money where the currency is pinned. */
export function paymentWords(policy: readonly unknown[]): string[] {
  let currency: string | undefined
  for (const statement of policy) {
    const read = asStatement(statement)
    if (
      !('problem' in read) &&
      read.kind === 'compare' &&
      read.operator === '==' &&
      read.selector === '.currency'
    ) {
      if (typeof read.value === 'string') currency = read.value
    }
  }
  return joinBounds(policy.map((statement) => paymentStatement(statement, currency)))
}

const ABOVE = 'the amount is above zero'

/** "Above zero" and "at most", side by side as every mandate has them, read better as one. */
function joinBounds(words: string[]): string[] {
  const most = words.findIndex((each) => each.startsWith('the amount is at most '))
  if (words[0] !== ABOVE || most !== 1) return words
  return [`${ABOVE} and ${words[1]?.slice('the amount is '.length)}`, ...words.slice(2)]
}

function paymentStatement(statement: unknown, currency: string | undefined): string {
  const read = asStatement(statement)
  if ('problem' in read || read.kind !== 'compare') return statementWords(statement)
  const { selector, operator, value } = read
  if (selector === '.amount' && operator === '>' && value === 0) return ABOVE
  if (selector === '.amount' && currency !== undefined && isInteger(value) && AMOUNT_WORDS[operator]) {
    return `${AMOUNT_WORDS[operator]} ${money(value, currency)}`
  }
  if (selector === '.currency' && operator === '==') return `it is paid in ${String(value)}`
  if (selector === '.payee' && operator === '==' && typeof value === 'string')
    return `it goes to ${shorten(value, 12)}`
  return statementWords(statement)
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
}
