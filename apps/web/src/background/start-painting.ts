import { scriptUrl } from '../lib/trusted-types.ts'
import type { PainterOrder } from './painter.ts'
import workerUrl from './painter-worker.ts?worker&url'

interface Brush {
  order(order: PainterOrder): void
  stop(): void
}

/** Off the main thread where the browser can, on it elsewhere. A canvas can be given away once: each call needs a new one. */
async function takeBrush(canvas: HTMLCanvasElement): Promise<Brush> {
  if (typeof canvas.transferControlToOffscreen === 'function' && typeof Worker === 'function') {
    const worker = new Worker(scriptUrl(workerUrl), { type: 'module', name: 'background' })
    const offscreen = canvas.transferControlToOffscreen()
    worker.postMessage({ canvas: offscreen }, [offscreen])
    return { order: (order) => worker.postMessage(order), stop: () => worker.terminate() }
  }
  const { Painter } = await import('./painter.ts')
  const painter = new Painter(canvas, (size) => Object.assign(document.createElement('canvas'), size))
  return { order: (order) => painter.take(order), stop: () => painter.stop() }
}

function theme(): 'light' | 'dark' {
  const { colorScheme } = getComputedStyle(document.documentElement)
  if (colorScheme === 'dark' || colorScheme === 'light') return colorScheme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/**
 * Paints the hole on `canvas` at most at one pixel for each CSS pixel; still while the page is hidden or motion is to be
 * reduced. Answers what ends it.
 */
export function startPainting(canvas: HTMLCanvasElement): () => void {
  const ended = new AbortController()
  const { signal } = ended
  const reduced = matchMedia('(prefers-reduced-motion: reduce)')
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  void takeBrush(canvas).then((brush) => {
    if (signal.aborted) return brush.stop()
    signal.addEventListener('abort', () => brush.stop())
    const sizes = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      if (width > 0 && height > 0)
        brush.order({ size: { width: Math.round(width), height: Math.round(height) } })
    })
    sizes.observe(canvas)
    const themes = new MutationObserver(() => brush.order({ theme: theme() }))
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    signal.addEventListener('abort', () => {
      sizes.disconnect()
      themes.disconnect()
    })
    const move = () => {
      const moving = !document.hidden && !reduced.matches
      canvas.dataset.moving = String(moving)
      brush.order({ moving })
    }
    document.addEventListener('visibilitychange', move, { signal })
    reduced.addEventListener('change', move, { signal })
    scheme.addEventListener('change', () => brush.order({ theme: theme() }), { signal })
    brush.order({ theme: theme() })
    move()
  })
  return () => ended.abort()
}
