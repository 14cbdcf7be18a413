import { scriptUrl } from '../../shared/browser/trusted-types.ts'
import { type Area, movingArea } from './geometry.ts'
import type { Canvases, PainterOrder } from './painter.ts'
import workerUrl from './painter-worker.ts?worker&url'

interface Brush {
  order(order: PainterOrder): void
  stop(): void
}

/** Off the main thread where the browser can, on it elsewhere. A canvas can be given away once: each call needs a new one. */
async function takeBrush(
  { ground, moving }: Canvases<HTMLCanvasElement>,
  onTheme: (painted: unknown) => void,
): Promise<Brush> {
  if (typeof moving.transferControlToOffscreen === 'function' && typeof Worker === 'function') {
    const worker = new Worker(scriptUrl(workerUrl), { type: 'module', name: 'background' })
    worker.addEventListener('message', ({ data }) => onTheme(data))
    const away = {
      ground: ground.transferControlToOffscreen(),
      moving: moving.transferControlToOffscreen(),
    } satisfies Canvases
    worker.postMessage(away, [away.ground, away.moving])
    return { order: (order) => worker.postMessage(order), stop: () => worker.terminate() }
  }
  const { Painter } = await import('./painter.ts')
  const painter = new Painter({ ground, moving }, (size) =>
    Object.assign(document.createElement('canvas'), size),
  )
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

/** Lays a canvas over an area of its parent, pixel on pixel. */
function lay({ style }: HTMLCanvasElement, { x, y, width, height }: Area): void {
  Object.assign(style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` })
}

/**
 * Paints the hole at most at one pixel for each CSS pixel; still while the page is hidden or motion is to be reduced. `ground`
 * is as large as its parent, and `moving` is laid over a part of it. Answers what ends it.
 */
export function startPainting(canvases: Canvases<HTMLCanvasElement>): () => void {
  const { ground, moving } = canvases
  const ended = new AbortController()
  const { signal } = ended
  const reduced = matchMedia('(prefers-reduced-motion: reduce)')
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  // The canvases are opaque, and a busy painter comes later than the page's own colours: until then the page does without them.
  const hide = (hidden: boolean) => {
    for (const { style } of [ground, moving]) style.visibility = hidden ? 'hidden' : ''
  }
  hide(true)
  const show = (painted: unknown) => {
    if (painted === theme()) hide(false)
  }
  void takeBrush(canvases, show).then(
    (brush) => {
      if (signal.aborted) return brush.stop()
      const shade = () => {
        hide(true)
        brush.order({ theme: theme() })
      }
      signal.addEventListener('abort', () => brush.stop())
      const sizes = new ResizeObserver(([entry]) => {
        const { width, height } = entry?.contentRect ?? new DOMRect()
        if (width === 0 || height === 0) return
        const size = { width: Math.round(width), height: Math.round(height) }
        lay(moving, movingArea(size))
        brush.order({ size })
      })
      sizes.observe(ground)
      const themes = new MutationObserver(shade)
      themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
      signal.addEventListener('abort', () => {
        sizes.disconnect()
        themes.disconnect()
      })
      const move = () => {
        const mayMove = !document.hidden && !reduced.matches
        moving.dataset.moving = String(mayMove)
        brush.order({ moving: mayMove })
      }
      document.addEventListener('visibilitychange', move, { signal })
      reduced.addEventListener('change', move, { signal })
      scheme.addEventListener('change', shade, { signal })
      shade()
      move()
      // A browser that gives no canvas goes without the hole.
    },
    () => undefined,
  )
  return () => ended.abort()
}
