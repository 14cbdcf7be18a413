import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { takeFocus } from '../../hooks/take-focus.ts'

/**
 * What came of an act. Takes the focus when it appears: the form that did it has begun anew, and what had the focus is gone
 * with it.
 */
export function Result({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => takeFocus(box.current), [])
  return (
    <div ref={box} tabIndex={-1} className="flex flex-col gap-3 rounded-control outline-offset-4">
      {children}
    </div>
  )
}
