/** A drawing context, on a canvas element or off screen. */
export type Surface = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** For canvases that cover what is below them, which are cheapest to draw and compose. */
export const OPAQUE = { alpha: false }

/** @throws Error if the browser provides no context */
export function surfaceOf(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  settings: CanvasRenderingContext2DSettings = {},
): Surface {
  const surface = canvas.getContext('2d', settings) as Surface | null
  if (!surface) throw new Error('This browser gives no 2D canvas')
  return surface
}
