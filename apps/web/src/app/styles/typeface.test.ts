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

/** Whether a CSS unicode-range such as `U+20-7E, U+A0` has a character. */
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

/** Mac keys and arrows, which come from a system font. */
const BY_THE_SYSTEM = [...'⌘⌥⇧↩←→✓']

test('both fonts match their build, and are at most 45 KB together', () => {
  expect(fonts.map(({ file }) => file)).toEqual(['sans.woff2', 'mono.woff2'])
  for (const { file, sha256, bytes } of fonts) {
    const content = readFileSync(join(folder, file))
    expect(content.length, file).toBe(bytes)
    expect(createHash('sha256').update(content).digest('hex'), file).toBe(sha256)
  }
  expect(fonts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(45_000)
})

test('the sans has every letter in the client’s texts', () => {
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

test('the mono has every letter of tokens, DIDs and JSON', () => {
  const mono = fonts[1]?.characters ?? ''
  for (let point = 0x20; point < 0x7f; point++) {
    const character = String.fromCharCode(point)
    expect(has(mono, character), character).toBe(true)
  }
})
