import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'typeface')
const src = join(import.meta.dirname, '../..')

interface Font {
  readonly file: string
  readonly sha256: string
  readonly bytes: number
  readonly characters: string
}

const { fonts }: { fonts: readonly Font[] } = JSON.parse(
  readFileSync(join(folder, 'provenance.json'), 'utf8'),
)

/** Whether a range as CSS writes it, `U+20-7E, U+A0`, has a character. */
function has(ranges: string, character: string): boolean {
  const point = character.codePointAt(0) ?? -1
  return ranges.split(', ').some((range) => {
    const [from = Number.NaN, to = from] = range
      .slice(2)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16))
    return from <= point && point <= to
  })
}

/** Keys of a Mac and arrows, which the system draws. */
const BY_THE_SYSTEM = [...'⌘⌥⇧↩←→✓']

test('both fonts are those that were made, and together at most 45 KB', () => {
  expect(fonts.map(({ file }) => file)).toEqual(['sans.woff2', 'mono.woff2'])
  for (const { file, sha256, bytes } of fonts) {
    const content = readFileSync(join(folder, file))
    expect(content.length, file).toBe(bytes)
    expect(createHash('sha256').update(content).digest('hex'), file).toBe(sha256)
  }
  expect(fonts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(45_000)
})

test('every letter that the client says something with is in the sans', () => {
  const [sans] = fonts
  const texts = readdirSync(join(src, 'locales'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.po'),
  )
  expect(texts.length).toBeGreaterThan(0)
  const said = new Set(texts.flatMap((name) => [...readFileSync(join(src, 'locales', name), 'utf8')]))
  const missing = [...said].filter(
    (character) =>
      character !== '\n' && !has(sans?.characters ?? '', character) && !BY_THE_SYSTEM.includes(character),
  )
  expect(missing).toEqual([])
})

test('every letter of a token, a DID and JSON is in the mono', () => {
  const mono = fonts[1]?.characters ?? ''
  for (let point = 0x20; point < 0x7f; point++) {
    const character = String.fromCharCode(point)
    expect(has(mono, character), character).toBe(true)
  }
})
