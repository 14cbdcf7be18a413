// JSON whose integers keep every digit. Native parsing does everything except long integers, which are passed through
// it as strings with a prefix that no one can guess. (`JSON.rawJSON` and a reviver's `context.source` need Node 22.)

/** Fewer than 16 digits can't exceed 2^53. */
const LONG = /\d{16}/
const LONG_INTEGER = /(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g

/**
 * Reads JSON text.
 * @returns its value; an integer beyond ±(2^53 − 1) is a `bigint`
 * @throws SyntaxError if the text isn't JSON
 */
export function parseJson(text: string): unknown {
  if (!LONG.test(text)) return JSON.parse(text)
  const mark = newMark()
  return JSON.parse(markIntegers(text, mark), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? integer(value.slice(mark.length)) : value,
  )
}

/**
 * Writes a value as JSON text, a `bigint` as its digits.
 * @param space how many spaces to indent each level by. Default: all in one line
 * @returns the text, or `''` for `undefined`
 * @throws TypeError if the value is circular or can't be written
 */
export function stringifyJson(value: unknown, space?: number): string {
  if (!holdsBigint(value)) return JSON.stringify(value, undefined, space) ?? ''
  const mark = newMark()
  const exact = (_key: string, each: unknown) => (typeof each === 'bigint' ? `${mark}${each}` : each)
  const text = JSON.stringify(value, exact, space)
  return text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}

function newMark(): string {
  return `bigint-${crypto.randomUUID()}:`
}

function integer(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

/** Prefixes every long integer outside a string. */
function markIntegers(text: string, mark: string): string {
  const parts: string[] = []
  let at = 0
  while (at < text.length) {
    const quote = text.indexOf('"', at)
    const outside = quote === -1 ? text.length : quote
    parts.push(text.slice(at, outside).replace(LONG_INTEGER, (digits) => `"${mark}${digits}"`))
    at = quote === -1 ? text.length : endOfString(text, quote)
    parts.push(text.slice(outside, at))
  }
  return parts.join('')
}

/** The position after the string that starts at `quote`. */
function endOfString(text: string, quote: number): number {
  let end = quote
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end + 1
  }
}

function holdsBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  for (const each of Object.values(value)) if (holdsBigint(each)) return true
  return false
}
