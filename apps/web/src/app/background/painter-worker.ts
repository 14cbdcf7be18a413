// Paints the hole off the main thread: the page transfers its canvases and sends orders. The worker replies once a scene is on the page.
import { type Canvases, Painter, type PainterOrder } from './painter.ts'

let painter: Painter | undefined

addEventListener('message', ({ data }: MessageEvent<Canvases<OffscreenCanvas> | PainterOrder>) => {
  if ('ground' in data) {
    painter = new Painter(data, ({ width, height }) => new OffscreenCanvas(width, height))
  } else {
    painter?.take(data)
    // The browser takes what was drawn at the end of the next animation frame. Until then the canvases show what they showed before.
    if ('mark' in data) requestAnimationFrame(() => requestAnimationFrame(() => postMessage(data.mark)))
  }
})
