import { HOLE_DEFAULTS, type Size } from './geometry.ts'
import { Hole, type Shade, type Surface } from './hole.ts'

/** Milliseconds between two frames: 30 a second are enough for something this slow, at a third of the cost. */
const FRAME = 1000 / 30
/** The moment that is shown where nothing may move: everything has faded in. */
const STILL = 3

/** What the painter is told: one message for each thing that changes on the page. */
export type PainterOrder = { readonly size: Size } | { readonly shade: Shade } | { readonly moving: boolean }

/** Paints the hole on a canvas, frame by frame while it may move, one frame for each order while it may not. */
export class Painter {
  readonly #surface: Surface
  readonly #hole = new Hole(HOLE_DEFAULTS, Math.random)
  readonly #start = performance.now()
  #shade: Shade = { depth: ['transparent', 'transparent'] }
  #moving = false
  #next: number | undefined
  #last = 0

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas) {
    const surface = canvas.getContext('2d') as Surface | null
    if (!surface) throw new Error('This browser gives no 2D canvas')
    this.#surface = surface
  }

  take(order: PainterOrder): void {
    if ('size' in order) {
      const { canvas } = this.#surface
      canvas.width = order.size.width
      canvas.height = order.size.height
      this.#hole.resize(order.size)
    } else if ('shade' in order) this.#shade = order.shade
    else this.#moving = order.moving
    this.#paint(this.#moving ? (performance.now() - this.#start) / 1000 : STILL)
    this.#schedule()
  }

  stop(): void {
    this.#moving = false
    if (this.#next !== undefined) cancelAnimationFrame(this.#next)
    this.#next = undefined
  }

  #schedule(): void {
    if (this.#moving) this.#next ??= requestAnimationFrame(this.#frame)
    else this.stop()
  }

  #frame = (now: number): void => {
    this.#next = undefined
    if (now - this.#last >= FRAME - 2) {
      this.#last = now
      this.#paint((now - this.#start) / 1000)
    }
    this.#schedule()
  }

  #paint(time: number): void {
    this.#hole.draw(this.#surface, Math.max(time, 0), this.#shade)
  }
}
