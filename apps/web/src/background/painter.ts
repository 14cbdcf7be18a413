import { HOLE_DEFAULTS, type Size } from './geometry.ts'
import { Hole, type MakeCanvas, type Surface } from './hole.ts'
import { SHADES } from './shade.ts'

/** Milliseconds between two frames: 30 a second are enough for something this slow, at a third of the cost. */
const FRAME = 1000 / 30
/** The moment that is shown where nothing may move: everything has faded in. */
const STILL = 3

/** What the painter is told: one message for each thing that changes on the page. */
export type PainterOrder =
  | { readonly size: Size }
  | { readonly theme: keyof typeof SHADES }
  | { readonly moving: boolean }

/** Paints the hole on a canvas, frame by frame while it may move, one frame for each order while it may not. */
export class Painter {
  readonly #surface: Surface
  readonly #hole: Hole
  readonly #start = performance.now()
  #moving = false
  #next: ReturnType<typeof setTimeout> | undefined
  /** When the next frame is due, so that frames that come late are not followed by late ones. */
  #due = 0

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas, makeCanvas: MakeCanvas) {
    const surface = canvas.getContext('2d', { alpha: false }) as Surface | null
    if (!surface) throw new Error('This browser gives no 2D canvas')
    this.#surface = surface
    this.#hole = new Hole(HOLE_DEFAULTS, Math.random, makeCanvas)
  }

  take(order: PainterOrder): void {
    if ('size' in order) {
      const { canvas } = this.#surface
      canvas.width = order.size.width
      canvas.height = order.size.height
      this.#hole.resize(order.size)
    } else if ('theme' in order) this.#hole.reshade(SHADES[order.theme])
    else this.#moving = order.moving
    this.#paint(this.#moving ? this.#elapsed() : STILL)
    this.#schedule()
  }

  stop(): void {
    this.#moving = false
    clearTimeout(this.#next)
    this.#next = undefined
  }

  // Asking for animation frames would wake the browser's compositor at the screen's rate, twice as often as is drawn.
  #schedule(): void {
    if (!this.#moving) {
      this.stop()
      return
    }
    if (this.#next !== undefined) return
    const now = performance.now()
    this.#due = Math.max(this.#due + FRAME, now)
    this.#next = setTimeout(this.#frame, this.#due - now)
  }

  #frame = (): void => {
    this.#next = undefined
    this.#paint(this.#elapsed())
    this.#schedule()
  }

  #elapsed(): number {
    return (performance.now() - this.#start) / 1000
  }

  #paint(time: number): void {
    this.#hole.draw(this.#surface, time)
  }
}
