// The hole: a funnel of discs seen from above at a slant, lines running down its wall, particles rising out of it. All of it pure,
// in the pixels of the canvas.

/** What the background is made of. Times in seconds. */
export interface HoleOptions {
  readonly lines: number
  readonly discs: number
  readonly particles: number
  readonly stroke: string
  readonly particle: string
  /** In which a disc sinks to where the next one was. */
  readonly drift: number
  /** In which a particle, or the whole drawing at its start, fades in. */
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

export interface Ellipse {
  readonly x: number
  readonly y: number
  readonly rx: number
  readonly ry: number
}

export interface Area extends Size {
  readonly x: number
  readonly y: number
}

/**
 * Where discs and particles are drawn: towards the window's edges a disc is hardly seen, and each pixel that may change is copied
 * thirty times a second.
 */
export function movingArea({ width, height }: Size): Area {
  const x = Math.round(width * 0.08)
  return { x, y: 0, width: width - 2 * x, height: Math.round(height * 0.74) }
}

/** The ellipse of the funnel's wall at `depth`: 0 is the rim, 1 the bottom. */
export function discAt(depth: number, { width, height }: Size): Ellipse {
  const closeness = 1 - depth
  // The wall falls steeply towards the middle: the radius shrinks faster than the depth grows.
  const narrowing = closeness ** 2.4
  const rx = width * (0.035 + 0.72 * narrowing)
  return {
    x: width / 2,
    y: height * (0.34 + 0.3 * (1 - closeness ** 1.6)),
    rx,
    ry: rx * (0.16 + 0.3 * narrowing),
  }
}

/** The depths of all discs at `time` seconds: evenly spread, each sinking to its neighbour's place in `drift` seconds. */
export function discDepths(time: number, { discs, drift }: HoleOptions): number[] {
  const shift = (time / drift) % 1
  return Array.from({ length: discs }, (_, index) => (index + shift) / discs)
}

/** Points down the wall at `angle` (radians), from rim to bottom, x and y in turn. */
export function linePoints(angle: number, size: Size, steps = 24): number[] {
  const points: number[] = []
  for (let step = 0; step <= steps; step++) {
    const { x, y, rx, ry } = discAt(step / steps, size)
    points.push(x + rx * Math.cos(angle), y + ry * Math.sin(angle))
  }
  return points
}

export interface Particle {
  /** Where across the hole it comes out, from -1 to 1. */
  readonly across: number
  /** Seconds for its way up. */
  readonly life: number
  /** Seconds of that way which are behind it at time 0. */
  readonly lead: number
  /** Pixels. */
  readonly radius: number
  /** How far it drifts sideways, in widths of the hole. */
  readonly sway: number
}

/** Makes the particles from `random`, which gives numbers from 0 to 1. */
export function makeParticles({ particles }: HoleOptions, random: () => number): Particle[] {
  return Array.from({ length: particles }, () => {
    const life = 6 + 9 * random()
    return {
      across: 2 * random() - 1,
      life,
      lead: life * random(),
      radius: 0.5 + 1.3 * random(),
      sway: 4 * (random() - 0.5),
    }
  })
}

export interface Spot {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly alpha: number
}

/** Where a particle is at `time` seconds, and how much of it is seen: it fades in over `fade` seconds and out as it rises. */
export function particleAt(particle: Particle, time: number, size: Size, { fade }: HoleOptions): Spot {
  const age = (time + particle.lead) % particle.life
  const way = age / particle.life
  const mouth = discAt(1, size)
  return {
    x: mouth.x + mouth.rx * (particle.across + particle.sway * way),
    y: mouth.y - way * mouth.y,
    radius: particle.radius,
    alpha: Math.min(age / fade, 1) * (1 - way) * 0.8,
  }
}
