// The hole: a funnel of discs around a throat, with lines running down its wall and particles rising out of it. Pure functions, in the
// pixels of the canvas.

/** What the background consists of. Times are in seconds. */
export interface HoleOptions {
  readonly lines: number
  readonly discs: number
  readonly particles: number
  readonly stroke: string
  readonly particle: string
  /** How long a disc takes to sink to the next disc's place. */
  readonly drift: number
  /** How long a particle, or the whole drawing at its start, fades in, and how long the light takes. */
  readonly fade: number
}

export const HOLE_DEFAULTS: HoleOptions = {
  lines: 50,
  discs: 50,
  particles: 100,
  stroke: '#737373',
  particle: '#ffffff',
  drift: 5,
  fade: 0.45,
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Area extends Size {
  readonly x: number
  readonly y: number
}

export interface Circle {
  readonly x: number
  readonly y: number
  readonly r: number
}

export interface Ellipse {
  readonly x: number
  readonly y: number
  readonly rx: number
  readonly ry: number
}

/** Where the hole is. Its throat is behind a mark on the page. */
export interface Place {
  readonly size: Size
  readonly throat: Circle
  /** The distance from the throat at which everything has faded out. */
  readonly fade: number
  /** The direction in which particles rise: 0 is up, in radians, clockwise. */
  readonly rise: number
  /** Where the page's header ends, if the hole shows behind it. No particle passes behind its words. */
  readonly header: number
}

/** The hole where it is the subject of a part of the page. */
export function stagePlace(size: Size, throat: Circle, header: number): Place {
  return { size, throat, fade: Math.max(420, Math.min(640, size.width * 0.46)), rise: 0, header }
}

/** The hole behind a page about something else, with its mark in a corner. */
export function quietPlace(size: Size, throat: Circle): Place {
  return { size, throat, fade: 380, rise: 0.7 * Math.PI, header: 0 }
}

/**
 * Where discs and particles are drawn, on whole pixels. Outside it they have faded out. Keep it small: each pixel that may change is copied
 * thirty times a second.
 */
export function movingArea({ size, throat, fade }: Place): Area {
  const x = Math.max(0, Math.floor(throat.x - fade))
  const y = Math.max(0, Math.floor(throat.y - fade))
  const right = Math.min(size.width, Math.ceil(throat.x + fade))
  const bottom = Math.min(size.height, Math.ceil(throat.y + fade))
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) }
}

/** The ellipse of the funnel's wall at `depth`: 0 is the rim, 1 the throat, which we look straight into. */
export function discAt(depth: number, { throat, fade }: Place): Ellipse {
  const closeness = 1 - depth
  // The wall gets steeper towards the middle: the radius shrinks faster than the depth grows.
  const rx = throat.r + (2.1 * fade - throat.r) * closeness ** 2.6
  return {
    x: throat.x,
    y: throat.y - 0.24 * fade * closeness ** 1.5,
    rx,
    ry: rx * (0.5 + 0.5 * (1 - closeness) ** 1.5),
  }
}

/** The depths of all discs at `time` seconds: evenly spaced, each sinking to the next disc's place in `drift` seconds. */
export function discDepths(time: number, { discs, drift }: HoleOptions): number[] {
  const shift = (time / drift) % 1
  return Array.from({ length: discs }, (_, index) => (index + shift) / discs)
}

/** Points down the wall at `angle` (radians), from rim to throat, x and y alternating. */
export function linePoints(angle: number, place: Place, steps = 40): number[] {
  const points: number[] = []
  for (let step = 0; step <= steps; step++) {
    const { x, y, rx, ry } = discAt(step / steps, place)
    points.push(x + rx * Math.cos(angle), y + ry * Math.sin(angle))
  }
  return points
}

export interface Particle {
  /** How far it deviates from the common direction, in radians. */
  readonly stray: number
  /** How many seconds its path takes. */
  readonly life: number
  /** How many seconds of its path are over at time 0. */
  readonly lead: number
  /** Pixels. */
  readonly radius: number
}

/** Creates the particles from `random`, which returns numbers from 0 to 1. */
export function makeParticles({ particles }: HoleOptions, random: () => number): Particle[] {
  return Array.from({ length: particles }, () => {
    const life = 6 + 9 * random()
    return { stray: 2.4 * (random() - 0.5), life, lead: life * random(), radius: 0.5 + 1.3 * random() }
  })
}

export interface Spot {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly alpha: number
}

/** How far below the header particles begin to fade, in pixels. */
const FADE_BELOW = 48

/** Where a particle is at `time` seconds, and how visible: it fades in over `fade` seconds, and fades out as it rises and towards the header. */
export function particleAt(particle: Particle, time: number, place: Place, { fade }: HoleOptions): Spot {
  const age = (time + particle.lead) % particle.life
  const way = age / particle.life
  const { throat, rise } = place
  // Particles leave the throat close together and spread out.
  const angle = rise + particle.stray * (0.4 + 0.6 * way)
  const distance = throat.r * 0.6 + way * (place.fade - throat.r * 0.6)
  const y = throat.y - Math.cos(angle) * distance
  const below = (y - particle.radius - place.header) / FADE_BELOW
  return {
    x: throat.x + Math.sin(angle) * distance,
    y,
    radius: particle.radius,
    alpha: Math.min(age / fade, 1) * Math.max(0, Math.min(below, 1)) * (1 - way) * 0.8,
  }
}

/** How far the light has run, `since` seconds after it was lit: 0 is the throat, 1 the rim, undefined when it is over. */
export function lightAt(since: number, { fade }: HoleOptions): number | undefined {
  const way = since / fade
  return way >= 0 && way < 1 ? way : undefined
}
