import {
  type Area,
  discAt,
  discDepths,
  type HoleOptions,
  linePoints,
  makeParticles,
  movingArea,
  particleAt,
  type Size,
} from './geometry.ts'
import type { Shade } from './shade.ts'
import { OPAQUE, type Surface, surfaceOf } from './surface.ts'

/** Another canvas of the same kind, for what does not move. */
export type MakeCanvas = (size: Size) => HTMLCanvasElement | OffscreenCanvas

/** Pixels over which discs vanish towards the edges of the area they move in. */
const EDGE = 96

/** A drawing of the hole for one size and one theme: a ground that stands still, and what moves over a part of it. */
export class Hole {
  readonly #options: HoleOptions
  readonly #particles
  readonly #makeCanvas: MakeCanvas
  #size: Size = { width: 0, height: 0 }
  #shade: Shade | undefined
  /** The ground below what moves, and the same as it comes back towards the edges. */
  #below: CanvasImageSource | undefined
  #edges: CanvasImageSource | undefined

  constructor(options: HoleOptions, random: () => number, makeCanvas: MakeCanvas) {
    this.#options = options
    this.#particles = makeParticles(options, random)
    this.#makeCanvas = makeCanvas
  }

  resize(size: Size): void {
    this.#size = size
  }

  reshade(shade: Shade): void {
    this.#shade = shade
  }

  /** Draws what stands still, over the whole size. Nothing before it knows that and its theme. */
  drawGround(ground: Surface): void {
    const shade = this.#shade
    const { width, height } = this.#size
    if (!shade || width === 0 || height === 0) return
    ground.globalAlpha = 1
    ground.fillStyle = shade.canvas
    ground.fillRect(0, 0, width, height)
    this.#drawDark(ground, shade)
    this.#drawLines(ground, shade)
    const below = this.#partOf(ground.canvas, OPAQUE)
    this.#below = below.canvas
    const edges = this.#partOf(ground.canvas)
    this.#fadeIn(edges)
    this.#edges = edges.canvas
  }

  /** Draws the moment `time` seconds after the start over the moving part of the ground, which has been drawn. */
  draw(surface: Surface, time: number): void {
    const shade = this.#shade
    if (!shade || !this.#below || !this.#edges) return
    const area = movingArea(this.#size)
    surface.globalAlpha = 1
    surface.drawImage(this.#below, 0, 0)
    surface.setTransform(1, 0, 0, 1, -area.x, -area.y)
    const start = Math.min(time / this.#options.fade, 1)
    surface.lineWidth = 1
    surface.strokeStyle = shade.stroke
    this.#drawDiscs(surface, time, shade.disc * start)
    this.#drawEdges(surface, area)
    surface.fillStyle = this.#options.particle
    for (const particle of this.#particles) {
      const { x, y, radius, alpha } = particleAt(particle, time, this.#size, this.#options)
      surface.globalAlpha = alpha * shade.particle * start
      // At this size a square's soft edges are as round as a circle's, at a tenth of the cost.
      surface.fillRect(x - radius, y - radius, 2 * radius, 2 * radius)
    }
    surface.resetTransform()
  }

  /** A copy of what is below the moving area. */
  #partOf(ground: CanvasImageSource, settings?: CanvasRenderingContext2DSettings): Surface {
    const { x, y, width, height } = movingArea(this.#size)
    const surface = surfaceOf(this.#makeCanvas({ width, height }), settings)
    surface.drawImage(ground, -x, -y)
    return surface
  }

  /** Leaves of a copy only its left, right and lower edge, whole at the very edge and gone where it ends. */
  #fadeIn(copy: Surface): void {
    const { width, height } = movingArea(this.#size)
    copy.globalCompositeOperation = 'destination-in'
    const mask = surfaceOf(this.#makeCanvas({ width, height }))
    for (const [fromX, fromY, toX, toY] of [
      [0, 0, EDGE, 0],
      [width, 0, width - EDGE, 0],
      [0, height, 0, height - EDGE],
    ] as const) {
      const gradient = mask.createLinearGradient(fromX, fromY, toX, toY)
      gradient.addColorStop(0, '#000')
      gradient.addColorStop(1, 'transparent')
      mask.fillStyle = gradient
      mask.fillRect(0, 0, width, height)
    }
    copy.drawImage(mask.canvas, 0, 0)
  }

  /** Lets the discs vanish softly: the edges alone, since copying costs by the pixel. */
  #drawEdges(surface: Surface, { x, y, width, height }: Area): void {
    const edges = this.#edges
    if (!edges) return
    const side = Math.min(EDGE, width / 2)
    const foot = Math.min(EDGE, height)
    surface.globalAlpha = 1
    for (const [left, top, wide, high] of [
      [0, 0, side, height - foot],
      [width - side, 0, side, height - foot],
      [0, height - foot, width, foot],
    ] as const) {
      surface.drawImage(edges, left, top, wide, high, x + left, y + top, wide, high)
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

  /** The lines down the wall of the hole. */
  #drawLines(surface: Surface, shade: Shade): void {
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
