import { t } from '@lingui/core/macro'
import { formatTag } from '../language/language.ts'
import { exactJson } from '../policy/json.ts'
import { quotable, visible } from '../text/visible.ts'

export { quotable } from '../text/visible.ts'

type Numeric = number | bigint

/** Whether a value is a number of any size. */
export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** An exact number in the reader's format. Four digits aren't grouped. */
export function numberWords(value: Numeric): string {
  const plain = String(value)
  // A number that JavaScript writes with an exponent would have hundreds of digits.
  if (plain.includes('e') || plain === 'Infinity') return plain
  const format = new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 20, useGrouping: 'min2' })
  // A whole number beyond 2^53 would be written with its shortest digits, which are those of another integer.
  const isLong = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return format.format(isLong ? BigInt(value) : value)
}

/** Texts up to this many characters are quoted in full in a reason. Longer ones show this much of each end. */
const WHOLE = 600
const ENDS = 200

/** Someone's text in quotation marks, shortened if long. For what a call contained, never for what is granted. */
export function excerpt(text: string): string {
  if (text.length <= WHOLE) return quotable(text)
  const more = text.length - 2 * ENDS
  return t`${quotable(text.slice(0, ENDS))} [… ${numberWords(more)} more …] ${quotable(text.slice(-ENDS))}`
}

/**
 * A value in full: text in quotes, links and bytes by their kind, numbers as numbers, without guessing a unit, currency or date. No two
 * values that a policy treats differently read alike.
 */
export function valueWords(value: unknown, quote = quotable): string {
  if (value === null) return t`nothing`
  if (typeof value === 'string') return t`“${quote(value)}”`
  if (value === true) return t`true`
  if (value === false) return t`false`
  if (isNumeric(value)) return numberWords(value)
  if (Array.isArray(value)) return value.length === 0 ? t`an empty list` : lineJson(value)
  if (typeof value === 'object' && Object.hasOwn(value, '/')) {
    const inner: unknown = Reflect.get(value, '/')
    if (typeof inner === 'string') return t`the link ${visible(inner)}`
    const bytes = typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'bytes') : undefined
    if (typeof bytes === 'string') return t`the bytes “${quote(bytes)}”`
  }
  return lineJson(value)
}

/** JSON in one line. Line breaks inside texts are escaped already. */
function lineJson(value: unknown): string {
  return exactJson(value).replace(/\n\s*/g, ' ')
}
