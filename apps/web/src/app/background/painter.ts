import { HOLE_DEFAULTS, movingArea, type Place, type Size } from './geometry.ts'
import { Hole, type MakeCanvas } from './hole.ts'
import { type Kind, SHADES, type Theme } from './shade.ts'
import { OPAQUE, type Surface, surfaceOf } from './surface.ts'

/** Milliseconds between frames. 30 a second are enough for something this slow, at a third of the cost. */
const FRAME = 1000 / 30
/** The moment shown when nothing may move: everything has faded in by then. */
const STILL = 3

/** Where the hole is and in which colours. `mark` is sent back once the scene is drawn. */
export interface Scene {
  readonly mark: number
  readonly kind: Kind
  readonly theme: Theme
  readonly place: Place
}

/** Orders to the painter, one message for each thing that changes on the page. */
export type PainterOrder = Scene | { readonly moving: boolean } | { readonly lit: true }

/** The ground is painted once per scene, the moving part on a smaller canvas above it. */
export interface Canvases<Canvas = HTMLCanvasElement | OffscreenCanvas> {
  readonly ground: Canvas
  readonly moving: Canvas
}

/** Paints the hole on two canvases: frame by frame while it may move, otherwise one frame per order. */
export class Painter {
  readonly #ground: Surface
  readonly #surface: Surface
  readonly #hole: Hole
  readonly #start = performance.now()
  #moving = false
  #litAt = Number.NEGATIVE_INFINITY
  #next: ReturnType<typeof setTimeout> | undefined
  /** When the next frame is due. A late frame must not delay the ones after it. */
  #due = 0

  constructor({ ground, moving }: Canvases, makeCanvas: MakeCanvas) {
    this.#ground = surfaceOf(ground, OPAQUE)
    this.#surface = surfaceOf(moving, OPAQUE)
    this.#hole = new Hole(HOLE_DEFAULTS, Math.random, makeCanvas)
  }

  take(order: PainterOrder): void {
    if ('place' in order) {
      resize(this.#ground, order.place.size)
      resize(this.#surface, movingArea(order.place))
      this.#hole.drawGround(this.#ground, this.#surface, order.place, SHADES[order.theme][order.kind])
    } else if ('lit' in order) this.#litAt = performance.now()
    else this.#moving = order.moving
    this.#paint()
    this.#schedule()
  }

  stop(): void {
    this.#moving = false
    clearTimeout(this.#next)
    this.#next = undefined
  }

  // Animation frames would wake the browser's compositor at the screen's rate, twice as often as we draw.
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
    this.#paint()
    this.#schedule()
  }

  #paint(): void {
    const now = performance.now()
    if (this.#moving) this.#hole.draw(this.#surface, (now - this.#start) / 1000, (now - this.#litAt) / 1000)
    else this.#hole.draw(this.#surface, STILL)
  }
}

function resize({ canvas }: Surface, { width, height }: Size): void {
  canvas.width = width
  canvas.height = height
}
