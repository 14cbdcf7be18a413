import { HOLE_DEFAULTS } from './geometry.ts'

/** How visible a stroke is by its distance from the throat, as a share of the whole way: it comes out of the dark and fades softly. */
export const VISIBLE = [
  [0, 0],
  [0.1, 0.9],
  [0.16, 1],
  [0.4, 0.5],
  [0.75, 0.12],
  [1, 0],
] as const

/** The colours of the hole in one theme and at one kind of place. */
export interface Shade {
  /** The background colour. The canvas is opaque, which costs the compositor least. */
  readonly ground: string
  /** The colour the hole fades to, and how strong it is in the throat. */
  readonly dark: string
  readonly depth: number
  readonly stroke: string
  /** How visible a line, a disc and a particle are. */
  readonly line: number
  readonly disc: number
  readonly particle: number
  /** The light that runs over it when a vault is opened. */
  readonly light: string
}

export type Theme = 'light' | 'dark'
export type Kind = 'stage' | 'quiet'

const { stroke } = HOLE_DEFAULTS

/** `--band`, `--canvas` and `--brass-fill` of app/styles/tokens.css. A worker has no style sheet to read them from. */
export const SHADES: Readonly<Record<Theme, Readonly<Record<Kind, Shade>>>> = {
  light: {
    stage: {
      ground: '#24221e',
      dark: '#000000',
      depth: 0.9,
      stroke,
      line: 0.3,
      disc: 0.5,
      particle: 1,
      light: '#d9a441',
    },
    quiet: {
      ground: '#f4f2ed',
      dark: '#6f6755',
      depth: 0.06,
      stroke,
      line: 0.05,
      disc: 0.09,
      particle: 0.9,
      light: '#c1850f',
    },
  },
  dark: {
    stage: {
      ground: '#0b0c0f',
      dark: '#000000',
      depth: 1,
      stroke,
      line: 0.32,
      disc: 0.55,
      particle: 1,
      light: '#d9a441',
    },
    quiet: {
      ground: '#0b0c0f',
      dark: '#000000',
      depth: 0.6,
      stroke,
      line: 0.08,
      disc: 0.14,
      particle: 0.35,
      light: '#d9a441',
    },
  },
}
