// The hole off the main thread: the page gives its canvases away and sends orders. A scene is answered once it is on the canvas.
import { type Canvases, Painter, type PainterOrder } from './painter.ts'

let painter: Painter | undefined

addEventListener('message', ({ data }: MessageEvent<Canvases<OffscreenCanvas> | PainterOrder>) => {
  if ('ground' in data) {
    painter = new Painter(data, ({ width, height }) => new OffscreenCanvas(width, height))
  } else {
    painter?.take(data)
    if ('mark' in data) postMessage(data.mark)
  }
})
