import { fromBase64Url, toBase64Url } from '../../base/base64url.ts'

/**
 * Values that JSON can't express become an object with this field, which names their kind. An object that has this
 * field itself is wrapped.
 */
const TAG = '$kind'

/**
 * A stored record as a line of JSON that reads back as the same value, including big integers, dates and bytes. Also
 * keeps whatever is in a record that doesn't parse.
 * @returns undefined for what can't be written this way (a Map, a Blob, something circular)
 */
export function encodeValue(value: unknown): string | undefined {
  try {
    return JSON.stringify(isPlain(value) ? value : plain(value))
  } catch {
    return undefined
  }
}

/** @throws SyntaxError if `encodeValue` didn't write this line */
export function decodeValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes(`"${TAG}"`) ? restored(value) : value
}

/** Whether `plain` would only copy it: most records, and a copy takes several times as long as looking. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    case 'object':
      if (value === null) return true
      if (Array.isArray(value)) return areAllPlain(value)
      return (
        Object.getPrototypeOf(value) === Object.prototype &&
        !(TAG in value) &&
        areAllPlain(Object.values(value))
      )
    default:
      return false
  }
}

function areAllPlain(values: readonly unknown[]): boolean {
  for (const value of values) if (!isPlain(value)) return false
  return true
}

function plain(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return { [TAG]: 'bigint', value: String(value) }
    case 'number':
      // JSON has no infinity or NaN, and turns -0 into 0.
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { [TAG]: 'number', value: Object.is(value, -0) ? '-0' : String(value) }
    case 'string':
    case 'boolean':
      return value
    case 'undefined':
      return { [TAG]: 'undefined' }
    case 'object':
      return value === null ? null : plainObject(value)
    default:
      throw new TypeError('not a value of a database')
  }
}

function plainObject(value: object): unknown {
  if (Array.isArray(value)) return Array.from(value, plain)
  if (value instanceof Date) return { [TAG]: 'date', value: plain(value.getTime()) }
  if (value instanceof Uint8Array) return { [TAG]: 'bytes', value: toBase64Url(value) }
  const kind = Object.prototype.toString.call(value)
  if (kind !== '[object Object]') throw new TypeError('not a plain value')
  const entries = Object.entries(value).map(([key, each]) => [key, plain(each)])
  return TAG in value ? { [TAG]: 'entries', value: entries } : Object.fromEntries(entries)
}

function restored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(restored)
  if (!(TAG in value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, restored(each)]))
  }
  const inner: unknown = 'value' in value ? value.value : undefined
  switch (value[TAG]) {
    case 'bigint':
      return BigInt(String(inner))
    case 'number':
      return Number(inner)
    case 'undefined':
      return undefined
    case 'date':
      return new Date(Number(restored(inner)))
    case 'bytes':
      return fromBase64Url(String(inner))
    case 'entries':
      return Object.fromEntries((inner as [string, unknown][]).map(([key, each]) => [key, restored(each)]))
    default:
      throw new SyntaxError('a value of an unknown kind')
  }
}
