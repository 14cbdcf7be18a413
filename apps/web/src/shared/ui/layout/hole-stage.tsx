import { useLayoutEffect, useRef } from 'react'
import { BAND, colourBar, PAPER } from '../../browser/bar-colour.ts'
import { setHole } from '../../browser/hole-state.ts'
import { cx } from '../cx.ts'

/**
 * Brings the hole from behind the window to a part of a page that is about it. Its throat lies behind the element with `data-throat`
 * beside it.
 */
export function HoleStage({ className }: { className?: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    setHole({ stage: place.current ?? undefined })
    colourBar(BAND)
    return () => {
      setHole({ stage: undefined })
      colourBar(PAPER)
    }
  }, [])
  return (
    <div
      ref={place}
      data-hole-stage=""
      aria-hidden="true"
      className={cx('pointer-events-none absolute overflow-clip', className)}
    />
  )
}
