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

/** A number exactly, in the reader's way of writing it; four digits stand ungrouped. */
export function numberWords(value: Numeric): string {
  const plain = String(value)
  // What JavaScript writes with an exponent has hundreds of digits otherwise.
  if (plain.includes('e') || plain === 'Infinity') return plain
  const format = new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 20, useGrouping: 'min2' })
  // A whole number past 2^53 would be told by the fewest digits that it is known by, which are those of another integer.
  const isLong = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return format.format(isLong ? BigInt(value) : value)
}

/** Texts up to so many letters are said whole in a reason, and of longer ones so many of their beginning and of their end. */
const WHOLE = 600
const ENDS = 200

/** Someone's text between quotation marks, where its ends are enough: what a call had, not what is granted. */
export function excerpt(text: string): string {
  if (text.length <= WHOLE) return quotable(text)
  const more = text.length - 2 * ENDS
  return t`${quotable(text.slice(0, ENDS))} [… ${numberWords(more)} more …] ${quotable(text.slice(-ENDS))}`
}

/**
 * A value as it is read out, whole: text in quotes, links and bytes by their kind, numbers as numbers. No unit, currency or date is read
 * into them. No two values that a policy tells apart are read out alike.
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

/** JSON in one line: what looks like a line break in a text of it is written as an escape. */
function lineJson(value: unknown): string {
  return exactJson(value).replace(/\n\s*/g, ' ')
}
