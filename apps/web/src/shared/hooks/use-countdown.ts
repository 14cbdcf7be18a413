import { useEffect, useState } from 'react'

/**
 * Whole seconds until a moment, by the wall clock, so that a tab that slept is right at once. 0 if it has passed or there is none.
 * @param until milliseconds since 1970
 */
export function useCountdown(until: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until === undefined) return
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(() => {
      tick()
      if (Date.now() >= until) clearInterval(timer)
    }, 250)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [until])
  return until === undefined ? 0 : Math.max(0, Math.ceil((until - now) / 1000))
}
