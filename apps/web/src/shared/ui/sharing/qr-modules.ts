import { encodeQR } from 'qr'

/** Most bytes in one code, at the least correction (ISO/IEC 18004, table 7). */
const MOST = 2953

/** Light modules around a code: with fewer, readers miss it (ISO/IEC 18004, 5.3.8). */
const QUIET = 4

/** A code as an SVG: the length of its side in modules, and its dark modules as the data of one path. */
export interface QrModules {
  readonly side: number
  readonly path: string
}

/** Sets a text as a QR code; undefined when no code holds so much. */
export function qrModules(text: string): QrModules | undefined {
  const bytes = new TextEncoder().encode(text).length
  if (bytes > MOST) return undefined
  // More correction where it costs no legibility: a short code is coarse either way.
  const rows = encodeQR(text, 'raw', { ecc: bytes > 300 ? 'low' : 'medium', border: QUIET })
  const runs: string[] = []
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x++
      runs.push(`M${start} ${y}h${x + 1 - start}v1h-${x + 1 - start}z`)
    }
  }
  return { side: rows.length, path: runs.join('') }
}
