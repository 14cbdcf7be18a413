// QR codes in a terminal.
import encodeQR from 'qr'

/** Width of the light frame around a code, in modules. Readers find it sooner with the wider one. */
const FRAMES = [2, 1]
/** Black on white, whatever the terminal's colours are, and back. */
const [COLOURS, BACK] = ['\u001b[38;5;16;48;5;231m', '\u001b[0m']
/** Two modules, one above the other: both light, the upper dark, the lower dark, both dark. */
const HALVES = [' ', '▀', '▄', '█']

/**
 * A link as a QR code, as lines for a terminal of this many columns; two modules, one above the other, are a letter. If it is too large, a line that
 * says so.
 */
export function qrLines(link: string, columns: number): readonly string[] {
  const framed = FRAMES.flatMap((frame) => modulesOf(link, frame) ?? [])
  const smallest = framed.at(-1)
  if (!smallest) return ['The link is too long for a QR code.']
  const modules = framed.find(({ length }) => length <= columns)
  if (!modules)
    return [`Make the terminal ${smallest.length} columns wide to see a QR code too. It has ${columns} now.`]
  const width = modules.length
  const isDark = (x: number, y: number) => modules[y]?.[x] === true
  return Array.from({ length: Math.ceil(width / 2) }, (_, row) => {
    const halves = Array.from(
      { length: width },
      (_, x) => HALVES[Number(isDark(x, 2 * row)) + 2 * Number(isDark(x, 2 * row + 1))],
    )
    return `${COLOURS}${halves.join('')}${BACK}`
  })
}

/** How many letters a link may have, so that its code is no wider than this. */
export function longestIn(columns: number): number {
  let [fits, tooLong] = [0, LONGEST + 1]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if ((modulesOf('a'.repeat(middle), 1)?.[0].length ?? Number.POSITIVE_INFINITY) <= columns) fits = middle
    else tooLong = middle
  }
  return fits
}

/** What the largest code holds, in bytes. */
const LONGEST = 2_953

function modulesOf(text: string, border: number): [readonly (readonly boolean[])[]] | undefined {
  if (Buffer.byteLength(text) > LONGEST) return undefined
  return [encodeQR(text, 'raw', { ecc: 'low', encoding: 'byte', border })]
}
