import {
  discAt,
  discDepths,
  type HoleOptions,
  linePoints,
  makeParticles,
  particleAt,
  type Size,
} from './geometry.ts'

/** What is drawn on: of a canvas element or of one off the screen. */
export type Surface = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** Colours that go with the page's theme. */
export interface Shade {
  /** Of the darkness in the hole, as CSS colours: at its middle and at its edge. */
  readonly depth: readonly [string, string]
}

/** A drawing of the hole for one size of canvas; what does not move is worked out once. */
export class Hole {
  readonly #options: HoleOptions
  readonly #particles
  #size: Size = { width: 0, height: 0 }
  #lines = new Path2D()

  constructor(options: HoleOptions, random: () => number) {
    this.#options = options
    this.#particles = makeParticles(options, random)
  }

  resize(size: Size): void {
    this.#size = size
    this.#lines = new Path2D()
    for (let index = 0; index < this.#options.lines; index++) {
      const points = linePoints((index / this.#options.lines) * 2 * Math.PI, size)
      this.#lines.moveTo(points[0] ?? 0, points[1] ?? 0)
      for (let at = 2; at < points.length; at += 2) this.#lines.lineTo(points[at] ?? 0, points[at + 1] ?? 0)
    }
  }

  /** Draws the moment `time` seconds after the start. */
  draw(surface: Surface, time: number, { depth: [middle, edge] }: Shade): void {
    const { width, height } = this.#size
    surface.clearRect(0, 0, width, height)
    const start = Math.min(time / this.#options.fade, 1)
    this.#darkness(surface, middle, edge)
    surface.lineWidth = 1
    surface.strokeStyle = this.#options.stroke
    surface.globalAlpha = 0.16 * start
    surface.stroke(this.#lines)
    for (const depth of discDepths(time, this.#options)) {
      const { x, y, rx, ry } = discAt(depth, this.#size)
      // The rim appears and the bottom vanishes softly, so that no disc is seen to jump.
      surface.globalAlpha = 0.3 * start * Math.min(depth * 8, (1 - depth) * 8, 1)
      surface.beginPath()
      surface.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI)
      surface.stroke()
    }
    surface.fillStyle = this.#options.particle
    for (const particle of this.#particles) {
      const spot = particleAt(particle, time, this.#size, this.#options)
      surface.globalAlpha = spot.alpha * start
      surface.beginPath()
      surface.arc(spot.x, spot.y, spot.radius, 0, 2 * Math.PI)
      surface.fill()
    }
    surface.globalAlpha = 1
  }

  /** The dark in the hole: without it white particles would be lost on a light page. */
  #darkness(surface: Surface, middle: string, edge: string): void {
    const { x, y, rx } = discAt(0.55, this.#size)
    const gradient = surface.createRadialGradient(x, y * 0.8, 0, x, y * 0.8, rx * 1.8)
    gradient.addColorStop(0, middle)
    gradient.addColorStop(1, edge)
    surface.fillStyle = gradient
    surface.fillRect(0, 0, this.#size.width, this.#size.height)
  }
}
