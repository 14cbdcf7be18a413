// The hole off the main thread: the page gives its canvas away and sends orders. A theme is answered once it is on the canvas.
import { Painter, type PainterOrder } from './painter.ts'

let painter: Painter | undefined

addEventListener('message', ({ data }: MessageEvent<{ canvas: OffscreenCanvas } | PainterOrder>) => {
  if ('canvas' in data) {
    painter = new Painter(data.canvas, ({ width, height }) => new OffscreenCanvas(width, height))
  } else {
    painter?.take(data)
    if ('theme' in data) postMessage(data.theme)
  }
})
