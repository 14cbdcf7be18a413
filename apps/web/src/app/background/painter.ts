import { HOLE_DEFAULTS, movingArea, type Size } from './geometry.ts'
import { Hole, type MakeCanvas } from './hole.ts'
import { SHADES } from './shade.ts'
import { OPAQUE, type Surface, surfaceOf } from './surface.ts'

/** Milliseconds between two frames: 30 a second are enough for something this slow, at a third of the cost. */
const FRAME = 1000 / 30
/** The moment that is shown where nothing may move: everything has faded in. */
const STILL = 3

/** What the painter is told: one message for each thing that changes on the page. */
export type PainterOrder =
  | { readonly size: Size }
  | { readonly theme: keyof typeof SHADES }
  | { readonly moving: boolean }

/** What is painted on: the ground once for each size and theme, the rest over the part of it where something moves. */
export interface Canvases<Canvas = HTMLCanvasElement | OffscreenCanvas> {
  readonly ground: Canvas
  readonly moving: Canvas
}

/** Paints the hole on two canvases, frame by frame while it may move, one frame for each order while it may not. */
export class Painter {
  readonly #ground: Surface
  readonly #surface: Surface
  readonly #hole: Hole
  readonly #start = performance.now()
  #moving = false
  #next: ReturnType<typeof setTimeout> | undefined
  /** When the next frame is due, so that frames that come late are not followed by late ones. */
  #due = 0

  constructor({ ground, moving }: Canvases, makeCanvas: MakeCanvas) {
    this.#ground = surfaceOf(ground, OPAQUE)
    this.#surface = surfaceOf(moving, OPAQUE)
    this.#hole = new Hole(HOLE_DEFAULTS, Math.random, makeCanvas)
  }

  take(order: PainterOrder): void {
    if ('size' in order) {
      resize(this.#ground, order.size)
      resize(this.#surface, movingArea(order.size))
      this.#hole.resize(order.size)
      this.#hole.drawGround(this.#ground)
    } else if ('theme' in order) {
      this.#hole.reshade(SHADES[order.theme])
      this.#hole.drawGround(this.#ground)
    } else this.#moving = order.moving
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

function resize({ canvas }: Surface, { width, height }: Size): void {
  canvas.width = width
  canvas.height = height
}
