import {
  discAt,
  discDepths,
  type HoleOptions,
  linePoints,
  makeParticles,
  particleAt,
  type Size,
} from './geometry.ts'
import type { Shade } from './shade.ts'

/** What is drawn on: of a canvas element or of one off the screen. */
export type Surface = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** Another canvas of the same kind, for what does not move. */
export type MakeCanvas = (size: Size) => HTMLCanvasElement | OffscreenCanvas

/** A drawing of the hole for one size and one theme; what does not move is drawn once and copied. */
export class Hole {
  readonly #options: HoleOptions
  readonly #particles
  readonly #makeCanvas: MakeCanvas
  #size: Size = { width: 0, height: 0 }
  #shade: Shade | undefined
  #ground: CanvasImageSource | undefined

  constructor(options: HoleOptions, random: () => number, makeCanvas: MakeCanvas) {
    this.#options = options
    this.#particles = makeParticles(options, random)
    this.#makeCanvas = makeCanvas
  }

  resize(size: Size): void {
    this.#size = size
    this.#ground = undefined
  }

  reshade(shade: Shade): void {
    this.#shade = shade
    this.#ground = undefined
  }

  /** Draws the moment `time` seconds after the start. Nothing before it knows its size and its theme. */
  draw(surface: Surface, time: number): void {
    const shade = this.#shade
    const { width, height } = this.#size
    if (!shade || width === 0 || height === 0) return
    this.#ground ??= this.#drawGround(shade)
    surface.globalAlpha = 1
    surface.drawImage(this.#ground, 0, 0)
    const start = Math.min(time / this.#options.fade, 1)
    surface.lineWidth = 1
    surface.strokeStyle = shade.stroke
    this.#drawDiscs(surface, time, shade.disc * start)
    surface.fillStyle = this.#options.particle
    for (const particle of this.#particles) {
      const { x, y, radius, alpha } = particleAt(particle, time, this.#size, this.#options)
      surface.globalAlpha = alpha * shade.particle * start
      // At this size a square's soft edges are as round as a circle's, at a tenth of the cost.
      surface.fillRect(x - radius, y - radius, 2 * radius, 2 * radius)
    }
  }

  /** Those that are seen alike are one path: fifty strokes across the whole canvas are most of what a frame costs. */
  #drawDiscs(surface: Surface, time: number, alpha: number): void {
    let seen: number | undefined
    surface.beginPath()
    for (const depth of discDepths(time, this.#options)) {
      // The rim appears and the bottom vanishes softly, so that no disc is seen to jump.
      const share = Math.min(depth * 8, (1 - depth) * 4, 1)
      if (seen !== undefined && share !== seen) {
        surface.globalAlpha = alpha * seen
        surface.stroke()
        surface.beginPath()
      }
      seen = share
      const { x, y, rx, ry } = discAt(depth, this.#size)
      surface.moveTo(x + rx, y)
      surface.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI)
    }
    surface.globalAlpha = alpha * (seen ?? 0)
    surface.stroke()
  }

  /** The page's ground, the dark in the hole, and the lines down its wall. */
  #drawGround(shade: Shade): CanvasImageSource {
    const { width, height } = this.#size
    const canvas = this.#makeCanvas(this.#size)
    const surface = canvas.getContext('2d', { alpha: false }) as Surface | null
    if (!surface) throw new Error('This browser gives no second 2D canvas')
    surface.fillStyle = shade.canvas
    surface.fillRect(0, 0, width, height)
    this.#drawDark(surface, shade)
    surface.lineWidth = 1
    surface.strokeStyle = shade.stroke
    surface.globalAlpha = shade.line
    surface.beginPath()
    for (let index = 0; index < this.#options.lines; index++) {
      const points = linePoints((index / this.#options.lines) * 2 * Math.PI, this.#size)
      surface.moveTo(points[0] ?? 0, points[1] ?? 0)
      for (let at = 2; at < points.length; at += 2) surface.lineTo(points[at] ?? 0, points[at + 1] ?? 0)
    }
    surface.stroke()
    return canvas
  }

  /** Deepest in the throat, gone at the rim, and as flat as the discs are. */
  #drawDark(surface: Surface, shade: Shade): void {
    const throat = discAt(0.72, this.#size)
    const rim = discAt(0.12, this.#size)
    surface.save()
    surface.translate(throat.x, throat.y)
    surface.scale(1, Math.max(rim.ry / rim.rx, 0.5))
    const gradient = surface.createRadialGradient(0, 0, 0, 0, 0, rim.rx)
    for (const [at, share] of [
      [0, 1],
      [0.25, 0.7],
      [0.6, 0.2],
      [1, 0],
    ] as const) {
      const percent = (share * shade.depth * 100).toFixed(2)
      gradient.addColorStop(at, `color-mix(in srgb, ${shade.dark} ${percent}%, transparent)`)
    }
    surface.fillStyle = gradient
    surface.fillRect(-rim.rx, -rim.rx, 2 * rim.rx, 2 * rim.rx)
    surface.restore()
  }
}
