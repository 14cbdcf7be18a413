/** Most text that is sent to the enclave: twice what the longest token holds. In UTF-16 units. */
export const LONGEST_TEXT = 2 * 1024 * 1024

const SIZE = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })

/** Bytes in words: "2.4 MiB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  if (bytes < 1024 * 1024) return `${SIZE.format(bytes / 1024)} KiB`
  if (bytes < 1024 ** 3) return `${SIZE.format(bytes / 1024 ** 2)} MiB`
  return `${SIZE.format(bytes / 1024 ** 3)} GiB`
}

/** Why a pasted text is too long to be looked at, or undefined. */
export function tooLong(text: string): string | undefined {
  if (text.length <= LONGEST_TEXT) return undefined
  return `This is ${sizeWords(text.length)} of text. A token is at most 1 MiB, so this is something else; it was not read.`
}
