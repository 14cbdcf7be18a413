import { plural, t } from '@lingui/core/macro'
import { formatTag } from '../language/language.ts'

/** The longest text sent to the enclave, in UTF-16 units: twice the longest token. */
export const LONGEST_TEXT = 2 * 1024 * 1024

/** Bytes in words: "2.4 MiB". */
export function sizeWords(bytes: number): string {
  const size = (unit: number) =>
    new Intl.NumberFormat(formatTag(), { maximumFractionDigits: 1 }).format(bytes / unit)
  if (bytes < 1024) return plural(bytes, { one: '# byte', other: '# bytes' })
  if (bytes < 1024 ** 2) return `${size(1024)} KiB`
  if (bytes < 1024 ** 3) return `${size(1024 ** 2)} MiB`
  return `${size(1024 ** 3)} GiB`
}

/** Why a pasted text is too long to check, or undefined. */
export function tooLong(text: string): string | undefined {
  if (text.length <= LONGEST_TEXT) return undefined
  const size = sizeWords(text.length)
  return t`This is ${size} of text. A token is at most 1 MiB, so this is something else; it was not read.`
}
