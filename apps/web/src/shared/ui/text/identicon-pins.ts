const RINGS = 3
const SEGMENTS = 8
const HUES = 12

/** 32 bits of a text, spread evenly: FNV-1a, then a finaliser, because identifiers differ little from one another. */
function hash(text: string, seed: number): number {
  let sum = seed
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35)
  return (sum ^ (sum >>> 16)) >>> 0
}

function point(radius: number, turn: number): string {
  const angle = turn * 2 * Math.PI
  return `${(16 + radius * Math.sin(angle)).toFixed(2)} ${(16 - radius * Math.cos(angle)).toFixed(2)}`
}

/** What an identicon is drawn from. */
export interface Pins {
  /** Degrees on the wheel of colours. */
  readonly hue: number
  /** The arcs that are there, as the data of one SVG path. */
  readonly path: string
}

/** Draws the pins of a lock from a text: the same text gives the same ones, everywhere and for ever. */
export function pins(text: string): Pins {
  const bits = hash(text, 0x811c9dc5)
  const arcs: string[] = []
  for (let ring = 0; ring < RINGS; ring++) {
    const radius = 6.5 + ring * 4
    for (let segment = 0; segment < SEGMENTS; segment++) {
      if (((bits >>> (ring * SEGMENTS + segment)) & 1) === 0) continue
      const [from, to] = [segment / SEGMENTS, (segment + 1) / SEGMENTS]
      arcs.push(`M${point(radius, from)}A${radius} ${radius} 0 0 1 ${point(radius, to)}`)
    }
  }
  return { hue: (hash(text, 0x9747b28c) % HUES) * (360 / HUES), path: arcs.join('') }
}

/** The colour of a picture of that hue. */
export const pinColour = (hue: number): string => `oklch(0.63 0.14 ${hue})`
