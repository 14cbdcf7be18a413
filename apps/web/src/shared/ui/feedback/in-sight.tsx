import { type ReactNode, useLayoutEffect, useRef } from 'react'

/** What came of a press. It scrolls into sight when it appears: the button stays in sight, so the end of the text may not be. */
export function InSight({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  // In some browsers scrolling returns a promise, which React would take for the effect's end.
  useLayoutEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={box} className="flex flex-col gap-4">
      {children}
    </div>
  )
}
