/** What is drawn on: of a canvas element or of one off the screen. */
export type Surface = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** For what covers whatever is below it: that costs least, to draw and to compose. */
export const OPAQUE = { alpha: false }

/** @throws Error where the browser gives none */
export function surfaceOf(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  settings: CanvasRenderingContext2DSettings = {},
): Surface {
  const surface = canvas.getContext('2d', settings) as Surface | null
  if (!surface) throw new Error('This browser gives no 2D canvas')
  return surface
}
