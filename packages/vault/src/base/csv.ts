/** Where a formula could start in a cell. Includes full-width signs, which East Asian spreadsheets treat the same. */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g

/**
 * Rows as CSV (RFC 4180). An apostrophe turns anything a spreadsheet would run as a formula into text: at the start of
 * a field, and after a cell separator, because some locales read a comma as the decimal point and split on semicolons.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

function csvField(text: string): string {
  const safe = text.replace(FORMULA, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
