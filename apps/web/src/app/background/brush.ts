import { scriptUrl } from '../../shared/browser/trusted-types.ts'
import type { Canvases, PainterOrder } from './painter.ts'
import workerUrl from './painter-worker.ts?worker&url'

/** Paints, on the main thread or in a worker. */
export interface Brush {
  order(order: PainterOrder): void
}

/**
 * Paints off the main thread if the browser can, otherwise on it. A canvas can be transferred only once, so each call needs new ones.
 * @param onDrawn is called with the mark of each scene once it is drawn
 */
export async function takeBrush(
  { ground, moving }: Canvases<HTMLCanvasElement>,
  onDrawn: (mark: unknown) => void,
): Promise<Brush> {
  if (typeof moving.transferControlToOffscreen === 'function' && typeof Worker === 'function') {
    const worker = new Worker(scriptUrl(workerUrl), { type: 'module', name: 'background' })
    worker.addEventListener('message', ({ data }) => onDrawn(data))
    const away = {
      ground: ground.transferControlToOffscreen(),
      moving: moving.transferControlToOffscreen(),
    } satisfies Canvases
    worker.postMessage(away, [away.ground, away.moving])
    return { order: (order) => worker.postMessage(order) }
  }
  const { Painter } = await import('./painter.ts')
  const painter = new Painter({ ground, moving }, (size) =>
    Object.assign(document.createElement('canvas'), size),
  )
  return {
    order: (order) => {
      painter.take(order)
      if ('mark' in order) onDrawn(order.mark)
    },
  }
}
