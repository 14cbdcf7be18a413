import { useEffect, useRef } from 'react'
import { whenIdle } from '../../shared/browser/when-idle.ts'
import { startPainting } from './start-painting.ts'

/** The hole behind every page. Decorative: nothing depends on it, and assistive technology does not hear of it. */
export function HoleBackground() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const parent = place.current
    if (!parent) return
    // A canvas can be given to a worker once, and React mounts twice in development: each mount makes its own.
    const ground = document.createElement('canvas')
    const moving = document.createElement('canvas')
    ground.className = 'size-full'
    moving.className = 'absolute'
    parent.append(ground, moving)
    let stop: (() => void) | undefined
    let mounted = true
    whenIdle().then(() => {
      if (mounted) stop = startPainting({ ground, moving })
    })
    return () => {
      mounted = false
      stop?.()
      parent.replaceChildren()
    }
  }, [])
  return (
    <div
      ref={place}
      aria-hidden="true"
      data-testid="hole"
      className="pointer-events-none fixed inset-0 -z-10 forced-colors:hidden"
    />
  )
}
