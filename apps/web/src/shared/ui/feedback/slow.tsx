import { type ReactNode, useEffect, useState } from 'react'

/** Most answers come sooner, and a flash of "loading" makes them feel later. */
const PATIENCE = 300

/** Shows its children once they have been waited with for 300 ms. */
export function Slow({ children }: { children: ReactNode }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE)
    return () => clearTimeout(timer)
  }, [])
  return late ? children : null
}
