import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BAND, PAPER } from '../../shared/browser/bar-colour.ts'
import { SHADES, type Shade, VISIBLE } from '../background/shade.ts'

const source = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const SCHEMES = ['light', 'dark'] as const
type Scheme = (typeof SCHEMES)[number]
type Colour = readonly [number, number, number]

function fromHex(hex: string): Colour {
  const [red = 0, green = 0, blue = 0] = (hex.match(/[0-9a-f]{2}/gi) ?? []).map((part) =>
    Number.parseInt(part, 16),
  )
  return [red, green, blue]
}

/** The colours of one scheme, normal or with more contrast. */
function colours(scheme: Scheme, more: boolean): Record<string, Colour> {
  const [plain = '', contrast = ''] = source.split('@media (prefers-contrast: more)')
  const found = (more ? `${plain}${contrast}` : plain).matchAll(
    /--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}))/g,
  )
  return Object.fromEntries(
    [...found].map(([, name = '', light, dark, both]) => [
      name,
      fromHex((scheme === 'light' ? light : dark) ?? both ?? ''),
    ]),
  )
}

/** Relative luminance, WCAG 2.2. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const over = (top: Colour, alpha: number, below: Colour): Colour => {
  const mix = (at: 0 | 1 | 2) => top[at] * alpha + below[at] * (1 - alpha)
  return [mix(0), mix(1), mix(2)]
}

/** The colour where a line and a disc cross, at this visibility. */
const crossing = (shade: Shade, share: number, ground: Colour): Colour =>
  over(fromHex(shade.stroke), shade.disc * share, over(fromHex(shade.stroke), shade.line * share, ground))

/** How visible a stroke is at this distance from the throat. */
function shareAt(way: number): number {
  const next = VISIBLE.findIndex(([at]) => at >= way)
  const [from, to] = [VISIBLE[next - 1] ?? VISIBLE[0], VISIBLE[next] ?? VISIBLE[0]]
  return from[1] + ((way - from[0]) / (to[0] - from[0])) * (to[1] - from[1])
}

/** Text on its background: 4.5 to 1 (WCAG 1.4.3). */
const TEXT: readonly (readonly [string, readonly string[]])[] = [
  [
    'ink',
    ['canvas', 'surface', 'raised', 'sunken', 'brass-soft', 'match', 'good-soft', 'warn-soft', 'bad-soft'],
  ],
  ['ink-soft', ['canvas', 'surface', 'raised', 'sunken', 'brass-soft', 'match']],
  ['ink-faint', ['canvas', 'surface', 'raised', 'sunken']],
  ['ink-inverse', ['ink', 'ink-soft']],
  ['brass', ['canvas', 'surface', 'raised', 'sunken', 'brass-soft']],
  ['good', ['surface', 'raised', 'canvas', 'good-soft']],
  ['warn', ['surface', 'raised', 'canvas', 'warn-soft']],
  ['bad', ['surface', 'raised', 'canvas', 'bad-soft']],
  ['on-fill', ['bad-fill']],
]
/** Edges of controls, the focus ring and bars: 3 to 1 (WCAG 1.4.11). */
const EDGES: readonly (readonly [string, readonly string[]])[] = [
  ['line-strong', ['canvas', 'surface', 'raised', 'sunken']],
  ['focus', ['canvas', 'surface', 'raised', 'sunken', 'brass-soft', 'bad-soft', 'warn-soft', 'good-soft']],
  ['brass-fill', ['surface']],
  ['lit', ['ink']],
]

describe.each(SCHEMES)('%s', (scheme) => {
  for (const more of [false, true]) {
    const palette = colours(scheme, more)
    const pick = (name: string) => palette[name] ?? expect.fail(`no colour is called ${name}`)
    const check = (pairs: typeof TEXT, least: number) => {
      for (const [name, grounds] of pairs)
        for (const ground of grounds)
          expect(contrast(pick(name), pick(ground)), `${name} on ${ground}`).toBeGreaterThanOrEqual(least)
    }
    test(`text${more ? ', with more contrast' : ''}`, () => check(TEXT, 4.5))
    test(`edges${more ? ', with more contrast' : ''}`, () => check(EDGES, 3))
  }

  test('text stays legible on the hole behind a page, even where a line and a disc cross in its darkest part', () => {
    const palette = colours(scheme, false)
    const shade = SHADES[scheme].quiet
    expect(fromHex(shade.ground)).toEqual(palette.canvas)
    const depth = over(fromHex(shade.dark), shade.depth, fromHex(shade.ground))
    for (const ground of [depth, crossing(shade, 1, depth)])
      for (const name of ['ink', 'ink-soft', 'ink-faint'])
        expect(contrast(palette[name] ?? ground, ground), name).toBeGreaterThanOrEqual(4.5)
  })

  test('text stays legible on the stage, from a quarter of the way to its edge', () => {
    const shade = SHADES[scheme].stage
    expect(fromHex(shade.ground)).toEqual(colours(scheme, false).band)
    expect([PAPER, BAND].map(fromHex)).toEqual(
      ['canvas', 'band'].map((name) => colours('light', false)[name]),
    )
    // Content on it uses the dark scheme in both themes.
    const inks = colours('dark', false)
    const ground = crossing(shade, shareAt(0.25), fromHex(shade.ground))
    for (const name of ['ink', 'ink-soft'])
      expect(contrast(inks[name] ?? ground, ground), name).toBeGreaterThanOrEqual(4.5)
  })
})
