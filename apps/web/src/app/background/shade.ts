import { HOLE_DEFAULTS } from './geometry.ts'

/** The colours of the hole in one theme. Alphas are so low that text of every ink keeps 4.5 to 1 on all of it. */
export interface Shade {
  /** The page's own ground: the canvas is opaque, which costs the compositor least. */
  readonly canvas: string
  /** What the hole fades to, and how much of it where it is deepest. */
  readonly dark: string
  readonly depth: number
  readonly stroke: string
  /** How much is seen of a line, of a disc, of a particle. */
  readonly line: number
  readonly disc: number
  readonly particle: number
}

/** `--canvas` of app/styles/tokens.css in both themes; a worker has no style sheet to read it from. */
export const SHADES: Readonly<Record<'light' | 'dark', Shade>> = {
  light: {
    canvas: '#f4f2ed',
    dark: '#6f6755',
    depth: 0.09,
    stroke: HOLE_DEFAULTS.stroke,
    line: 0.035,
    disc: 0.06,
    particle: 0.9,
  },
  dark: {
    canvas: '#0b0c0f',
    dark: '#000000',
    depth: 0.9,
    stroke: HOLE_DEFAULTS.stroke,
    line: 0.1,
    disc: 0.2,
    particle: 0.45,
  },
}
