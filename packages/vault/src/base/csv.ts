/** Where a cell could begin with a formula: in full width as well, which spreadsheets of East Asia read as the same signs. */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g

/**
 * Rows as CSV (RFC 4180). What a spreadsheet would run as a formula is made text by an apostrophe: at the beginning of a field, and
 * behind what divides cells as well for those that read a comma as the decimal point.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

function csvField(text: string): string {
  const safe = text.replace(FORMULA, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
