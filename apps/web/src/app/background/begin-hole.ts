import { holeState, subscribeToHole } from '../../shared/browser/hole-state.ts'
import { type Brush, takeBrush } from './brush.ts'
import { type Area, type Circle, movingArea, quietPlace, type Size, stagePlace } from './geometry.ts'
import type { Scene } from './painter.ts'
import type { Theme } from './shade.ts'

function themeNow(): Theme {
  const { colorScheme } = getComputedStyle(document.documentElement)
  if (colorScheme === 'dark' || colorScheme === 'light') return colorScheme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Puts a canvas over an area of its parent, pixel for pixel. */
function lay({ style }: HTMLCanvasElement, { x, y, width, height }: Area): void {
  Object.assign(style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` })
}

/** Where the mark in front of the throat is, in the hole's pixels. Without a mark, the middle of the top edge. */
function throatIn(stage: HTMLElement | undefined, { left, top, width }: DOMRect): Circle {
  const box = (stage?.parentElement ?? document).querySelector('[data-throat]')?.getBoundingClientRect()
  if (!box || box.width === 0) return { x: width / 2, y: 0, r: 16 }
  return { x: box.x + box.width / 2 - left, y: box.y + box.height / 2 - top, r: box.width / 2 }
}

/** Where the page's header ends, in the hole's pixels. Zero if the page has none. */
function headerIn({ top }: DOMRect): number {
  const header = document.querySelector('header')?.getBoundingClientRect()
  return header ? Math.max(0, header.bottom - top) : 0
}

function begin(hole: HTMLElement): void {
  const [ground, moving] = [document.createElement('canvas'), document.createElement('canvas')]
  hole.append(ground, moving)
  const reduced = matchMedia('(prefers-reduced-motion: reduce)')
  /** The last scene ordered. The canvases are opaque, so they stay hidden until it is drawn: another theme would show. */
  let scene: Scene | undefined
  const hide = (hidden: boolean) => {
    hole.dataset.drawn = String(!hidden)
  }
  hide(true)
  const follow = (brush: Brush) => {
    const place = () => {
      const { stage } = holeState()
      // If the document was redrawn, the hole has to be put back.
      const home = stage ?? document.body
      if (hole.parentElement !== home) home.prepend(hole)
      const box = hole.getBoundingClientRect()
      const size: Size = { width: Math.round(box.width), height: Math.round(box.height) }
      if (size.width === 0 || size.height === 0) return
      const kind = stage ? 'stage' : 'quiet'
      const throat = throatIn(stage, box)
      const at = stage ? stagePlace(size, throat, headerIn(box)) : quietPlace(size, throat)
      const theme = themeNow()
      if (kind !== scene?.kind || theme !== scene.theme) hide(true)
      scene = { mark: (scene?.mark ?? 0) + 1, kind, theme, place: at }
      lay(ground, { x: 0, y: 0, ...size })
      lay(moving, movingArea(at))
      brush.order(scene)
    }
    const move = () => {
      const mayMove = !document.hidden && !reduced.matches
      moving.dataset.moving = String(mayMove)
      brush.order({ moving: mayMove })
    }
    let { lit, stage } = holeState()
    subscribeToHole(() => {
      const next = holeState()
      if (next.stage !== stage) place()
      if (next.lit && !lit) brush.order({ lit: true })
      ;({ lit, stage } = next)
    })
    new ResizeObserver(place).observe(hole)
    new MutationObserver(place).observe(document.documentElement, { attributeFilter: ['data-theme'] })
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', place)
    document.addEventListener('visibilitychange', move)
    reduced.addEventListener('change', move)
    place()
    move()
  }
  takeBrush({ ground, moving }, (mark) => mark === scene?.mark && hide(false)).then(
    follow,
    // Some browsers provide no canvas context. They do without the hole.
    () => hole.replaceChildren(),
  )
}

let begun = false

/**
 * Starts painting the hole, at most one canvas pixel for each CSS pixel. It stays still while the page is hidden or motion should be
 * reduced. It is decorative: nothing depends on it. Call it once per document; shared/browser/hole-state.ts tells it where and what to draw.
 */
export function beginHole(): void {
  const hole = document.getElementById('hole')
  if (begun || !hole) return
  begun = true
  begin(hole)
}
