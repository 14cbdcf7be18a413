import {
  discAt,
  discDepths,
  type HoleOptions,
  lightAt,
  linePoints,
  makeParticles,
  movingArea,
  type Place,
  particleAt,
  type Size,
} from './geometry.ts'
import { type Shade, VISIBLE } from './shade.ts'
import { OPAQUE, type Surface, surfaceOf } from './surface.ts'

/** Creates another canvas of the same kind, for what doesn't move. */
export type MakeCanvas = (size: Size) => HTMLCanvasElement | OffscreenCanvas

/** How dark it is by distance from the throat, where it is darkest. */
const DARK = [
  [0, 1],
  [0.14, 0.92],
  [0.4, 0.45],
  [0.7, 0.12],
  [1, 0],
] as const
/** The side of the noise tile that prevents visible banding, and its strength out of 255. */
const NOISE = { side: 192, most: 4 }
/** The size of a particle's picture in pixels: round with a soft edge, always scaled down. */
const DOT = 16

/** A drawing of the hole for one place and theme: a still ground, and moving parts over some of it. */
export class Hole {
  readonly #options: HoleOptions
  readonly #particles
  readonly #random: () => number
  readonly #makeCanvas: MakeCanvas
  #place: Place | undefined
  #shade: Shade | undefined
  /** The part of the ground under what moves. */
  #below: CanvasImageSource | undefined
  #discs: CanvasGradient | undefined
  #dot: CanvasImageSource | undefined

  constructor(options: HoleOptions, random: () => number, makeCanvas: MakeCanvas) {
    this.#options = options
    this.#particles = makeParticles(options, random)
    this.#random = random
    this.#makeCanvas = makeCanvas
  }

  /** Draws everything that stays still, and saves the part under what moves. */
  drawGround(ground: Surface, moving: Surface, place: Place, shade: Shade): void {
    this.#place = place
    this.#shade = shade
    const { width, height } = place.size
    ground.globalAlpha = 1
    ground.fillStyle = shade.ground
    ground.fillRect(0, 0, width, height)
    ground.fillStyle = this.#around(ground, shade.dark, shade.depth, DARK)
    ground.fillRect(0, 0, width, height)
    this.#drawLines(ground, place, shade)
    this.#drawNoise(ground, place.size)
    const area = movingArea(place)
    const below = surfaceOf(this.#makeCanvas(area), OPAQUE)
    below.drawImage(ground.canvas, -area.x, -area.y)
    this.#below = below.canvas
    this.#discs = this.#around(moving, shade.stroke, shade.disc, VISIBLE)
  }

  /**
   * Draws the moment `time` seconds after the start over the moving part of the ground. Draw the ground first.
   * @param lit how long ago the rim was lit, in seconds
   */
  draw(surface: Surface, time: number, lit = Number.POSITIVE_INFINITY): void {
    const [place, shade, below, discs] = [this.#place, this.#shade, this.#below, this.#discs]
    if (!place || !shade || !below || !discs) return
    const area = movingArea(place)
    const start = Math.min(time / this.#options.fade, 1)
    surface.globalAlpha = 1
    surface.drawImage(below, 0, 0)
    surface.setTransform(1, 0, 0, 1, -area.x, -area.y)
    surface.globalAlpha = start
    this.#drawDiscs(surface, time, place, discs)
    this.#drawLight(surface, lit, place, shade)
    this.#dot ??= this.#makeDot()
    for (const particle of this.#particles) {
      const { x, y, radius, alpha } = particleAt(particle, time, place, this.#options)
      surface.globalAlpha = alpha * shade.particle * start
      surface.drawImage(this.#dot, x - radius, y - radius, 2 * radius, 2 * radius)
    }
    surface.resetTransform()
  }

  /** A colour that appears and fades around the throat, and ends where the hole does. */
  #around(
    surface: Surface,
    colour: string,
    most: number,
    stops: readonly (readonly [at: number, share: number])[],
  ): CanvasGradient {
    const { throat, fade } = this.#place ?? { throat: { x: 0, y: 0, r: 0 }, fade: 1 }
    const gradient = surface.createRadialGradient(throat.x, throat.y, 0, throat.x, throat.y, fade)
    for (const [at, share] of stops) {
      const alpha = Math.round(share * most * 255)
      gradient.addColorStop(at, colour + alpha.toString(16).padStart(2, '0'))
    }
    return gradient
  }

  /** Draws all discs as one path. Fifty separate strokes across the whole canvas would be most of a frame's cost. */
  #drawDiscs(surface: Surface, time: number, place: Place, colour: CanvasGradient): void {
    surface.lineWidth = 1
    surface.strokeStyle = colour
    surface.beginPath()
    for (const depth of discDepths(time, this.#options)) {
      const { x, y, rx, ry } = discAt(depth, place)
      surface.moveTo(x + rx, y)
      surface.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI)
    }
    surface.stroke()
  }

  /** A disc of light that runs outwards from the throat when the rim is lit, and fades before it gets there. */
  #drawLight(surface: Surface, lit: number, place: Place, shade: Shade): void {
    const way = lightAt(lit, this.#options)
    if (way === undefined) return
    const { x, y, rx, ry } = discAt(1 - 0.75 * way, place)
    surface.strokeStyle = shade.light
    surface.lineWidth = 3
    surface.globalAlpha = (1 - way) ** 1.5
    surface.beginPath()
    surface.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI)
    surface.stroke()
  }

  #drawLines(surface: Surface, place: Place, shade: Shade): void {
    surface.lineWidth = 1
    surface.strokeStyle = this.#around(surface, shade.stroke, shade.line, VISIBLE)
    surface.beginPath()
    for (let index = 0; index < this.#options.lines; index++) {
      const points = linePoints((index / this.#options.lines) * 2 * Math.PI, place)
      surface.moveTo(points[0] ?? 0, points[1] ?? 0)
      for (let at = 2; at < points.length; at += 2) surface.lineTo(points[at] ?? 0, points[at + 1] ?? 0)
    }
    surface.stroke()
  }

  #makeDot(): CanvasImageSource {
    const dot = surfaceOf(this.#makeCanvas({ width: DOT, height: DOT }))
    dot.fillStyle = this.#options.particle
    dot.arc(DOT / 2, DOT / 2, DOT / 2 - 1, 0, 2 * Math.PI)
    dot.fill()
    return dot.canvas
  }

  /** Grain too fine to see. Without it, a soft shadow with eight bits per colour shows bands. */
  #drawNoise(surface: Surface, { width, height }: Size): void {
    const { side, most } = NOISE
    const tile = surfaceOf(this.#makeCanvas({ width: side, height: side }))
    const image = tile.createImageData(side, side)
    for (let at = 0; at < image.data.length; at += 4) {
      const light = this.#random() < 0.5 ? 0 : 255
      image.data.set([light, light, light, Math.floor(this.#random() * most)], at)
    }
    tile.putImageData(image, 0, 0)
    const pattern = surface.createPattern(tile.canvas, 'repeat')
    if (!pattern) return
    surface.globalAlpha = 1
    surface.fillStyle = pattern
    surface.fillRect(0, 0, width, height)
  }
}
