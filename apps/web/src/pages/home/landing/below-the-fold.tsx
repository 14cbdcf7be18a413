import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { whenSomeoneIsThere } from '../../../shared/browser/someone-there.ts'

/**
 * Keeps a place for what stands below the first screen, and fills it once the place comes into view or somebody does anything at
 * all: until then nobody waits for it.
 */
export function BelowTheFold({ children }: { children: ReactNode }) {
  const [wanted, setWanted] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (wanted || !place.current) return
    const fill = () => setWanted(true)
    const sight = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) fill()
    })
    sight.observe(place.current)
    const forget = whenSomeoneIsThere(fill)
    return () => {
      sight.disconnect()
      forget()
    }
  }, [wanted])
  const placeholder = <div ref={place} className="min-h-dvh" />
  return wanted ? <Suspense fallback={placeholder}>{children}</Suspense> : placeholder
}
