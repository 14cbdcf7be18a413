import { formatTag } from '../../../shared/language/language.ts'

/** Milliseconds as the reader writes numbers, to a tenth. */
export function milliseconds(value: number): string {
  return new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 1 }).format(value)
}
