import { scriptUrl } from '../lib/trusted-types.ts'
import type { PainterOrder } from './painter.ts'
import workerUrl from './painter-worker.ts?worker&url'

interface Brush {
  order(order: PainterOrder): void
  stop(): void
}

/** Off the main thread where the browser can, on it elsewhere. A canvas can be given away once: each call needs a new one. */
async function takeBrush(canvas: HTMLCanvasElement, onTheme: (painted: unknown) => void): Promise<Brush> {
  if (typeof canvas.transferControlToOffscreen === 'function' && typeof Worker === 'function') {
    const worker = new Worker(scriptUrl(workerUrl), { type: 'module', name: 'background' })
    worker.addEventListener('message', ({ data }) => onTheme(data))
    const offscreen = canvas.transferControlToOffscreen()
    worker.postMessage({ canvas: offscreen }, [offscreen])
    return { order: (order) => worker.postMessage(order), stop: () => worker.terminate() }
  }
  const { Painter } = await import('./painter.ts')
  const painter = new Painter(canvas, (size) => Object.assign(document.createElement('canvas'), size))
  return {
    order: (order) => {
      painter.take(order)
      if ('theme' in order) onTheme(order.theme)
    },
    stop: () => painter.stop(),
  }
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
  // The canvas is opaque, and a busy painter comes later than the page's own colours: until then the page does without it.
  canvas.style.visibility = 'hidden'
  const show = (painted: unknown) => {
    if (painted === theme()) canvas.style.visibility = ''
  }
  void takeBrush(canvas, show).then((brush) => {
    if (signal.aborted) return brush.stop()
    const shade = () => {
      canvas.style.visibility = 'hidden'
      brush.order({ theme: theme() })
    }
    signal.addEventListener('abort', () => brush.stop())
    const sizes = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      if (width > 0 && height > 0)
        brush.order({ size: { width: Math.round(width), height: Math.round(height) } })
    })
    sizes.observe(canvas)
    const themes = new MutationObserver(shade)
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
    scheme.addEventListener('change', shade, { signal })
    shade()
    move()
  })
  return () => ended.abort()
}
