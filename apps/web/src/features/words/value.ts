import { t } from '@lingui/core/macro'
import { formatTag } from '../../lib/language.ts'
import { exactJson } from '../policy/json.ts'
import { visible } from './visible.ts'
import { moment } from './when.ts'
import { shorten } from './who.ts'

type Numeric = number | bigint

/** Whether a value is a number of any size. */
export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isWhole(value: unknown): value is Numeric {
  return typeof value === 'bigint' || Number.isSafeInteger(value)
}

/** A number exactly, in the reader's way of writing it; four digits stand ungrouped. */
export function numberWords(value: Numeric): string {
  const plain = String(value)
  // What JavaScript writes with an exponent has hundreds of digits otherwise.
  if (plain.includes('e') || plain === 'Infinity') return plain
  const format = new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 20, useGrouping: 'min2' })
  return format.format(value)
}

const DECIMAL = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** The largest unit in which a size is a short number, without rounding it. */
function inUnits(size: bigint, base: bigint, units: readonly string[]): string | undefined {
  for (let power = units.length - 1; power > 0; power -= 1) {
    const unit = base ** BigInt(power)
    const tenths = (size * 10n) / unit
    if (size < unit || (size * 10n) % unit !== 0n || tenths > Number.MAX_SAFE_INTEGER) continue
    return `${numberWords(Number(tenths) / 10)} ${units[power]}`
  }
  return undefined
}

/** A size in bytes as people say it: 10000000 is "10 MB", 4096 "4 KiB". Never rounded: what is not round is said in bytes. */
export function sizeWords(bytes: Numeric): string {
  if (!isWhole(bytes) || bytes < 0) return t`${numberWords(bytes)} bytes`
  const size = BigInt(bytes)
  return (
    inUnits(size, 1000n, DECIMAL) ??
    inUnits(size, 1024n, BINARY) ??
    (size === 1n ? t`1 byte` : t`${numberWords(size)} bytes`)
  )
}

const SIZE_FIELD = /(^|[._])(bytes|size)$|[a-z](Bytes|Size)$/
const TIME_FIELD =
  /(^|[._])(at|after|before|date|deadline|from|time|timestamp|until|exp|nbf)$|[a-z](At|Time|Date)$/

/** Seconds that a date is told in: 2001 to 2100. Smaller numbers are durations or counts. */
const SECONDS = { from: 978_307_200, to: 4_102_444_800 }

/** A moment, where a field is named like one and its number reads as one: in seconds, or in milliseconds. */
function timeWords(field: string, value: Numeric): string | undefined {
  if (!isWhole(value) || !TIME_FIELD.test(field)) return undefined
  const number = Number(value)
  const ms = [number * 1000, number].find((at) => at >= SECONDS.from * 1000 && at <= SECONDS.to * 1000)
  return ms === undefined ? undefined : t`${moment(ms)} (${String(value)})`
}

/** Texts up to so many letters are said whole, and of longer ones so many of their beginning and of their end. */
const WHOLE = 600
const ENDS = 200

/** Someone's text as it stands between quotation marks: nothing in it hides, and none of its own marks seems to end it. */
export function quotable(text: string): string {
  const more = text.length - 2 * ENDS
  const [start, end] = text.length > WHOLE ? [text.slice(0, ENDS), text.slice(-ENDS)] : [text, '']
  const shown = (part: string) => visible(part).replace(/[“”„]/g, '\\$&')
  return end === '' ? shown(start) : t`${shown(start)} [… ${numberWords(more)} more …] ${shown(end)}`
}

/** A value as it is read out: text in quotes, links and bytes by their kind, numbers in the unit their field is named by. */
export function valueWords(value: unknown, field = ''): string {
  if (value === null) return t`nothing`
  if (typeof value === 'string') return t`“${quotable(value)}”`
  if (value === true) return t`true`
  if (value === false) return t`false`
  if (isNumeric(value)) {
    if (SIZE_FIELD.test(field)) return sizeWords(value)
    return timeWords(field, value) ?? numberWords(value)
  }
  if (Array.isArray(value)) return value.length === 0 ? t`an empty list` : exactJson(value)
  if (typeof value === 'object' && Object.hasOwn(value, '/')) {
    const inner: unknown = Reflect.get(value, '/')
    if (typeof inner === 'string') return t`the link ${visible(shorten(inner))}`
    const bytes = typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'bytes') : undefined
    if (typeof bytes === 'string') return t`the bytes “${quotable(bytes)}”`
  }
  return exactJson(value)
}
