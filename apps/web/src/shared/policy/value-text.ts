import { exactJson, readJson } from './json.ts'

/** A field's name as a selector. Adds the leading dot if it is missing. */
export function toSelector(field: string): string {
  const trimmed = field.trim()
  return trimmed === '' || trimmed.startsWith('.') ? trimmed : `.${trimmed}`
}

/** A typed value as JSON: numbers, true, false, null and anything in JSON brackets as such, the rest as text. */
export function toValue(text: string): unknown {
  const trimmed = text.trim()
  if (/^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(trimmed) || /^["[{]/.test(trimmed)) {
    const read = readJson(trimmed)
    if ('value' in read) return read.value
  }
  return text
}

/** The text that `toValue` reads back as the same value. */
export function valueText(value: unknown): string {
  if (typeof value !== 'string') return exactJson(value)
  return value.trim() !== '' && toValue(value) === value ? value : exactJson(value)
}
