import { formatTag } from '../../../shared/language/language.ts'

/** Milliseconds in the reader's number format, with one decimal. */
export function milliseconds(value: number): string {
  return new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 1 }).format(value)
}
