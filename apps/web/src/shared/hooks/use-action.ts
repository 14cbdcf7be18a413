import { useCallback, useRef, useState } from 'react'

interface Action<Args extends unknown[]> {
  /** Runs it; a second call while one runs is ignored. */
  run: (...args: Args) => void
  pending: boolean
  /** What the last run was refused with. */
  error: unknown
  /** Forgets the error, once the person has changed something. */
  clear: () => void
}

/** One thing a person can do: whether it is under way, and what came of it. */
export function useAction<Args extends unknown[]>(perform: (...args: Args) => Promise<void>): Action<Args> {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const running = useRef(false)
  const latest = useRef(perform)
  latest.current = perform

  const run = useCallback((...args: Args) => {
    if (running.current) return
    running.current = true
    setPending(true)
    setError(undefined)
    latest
      .current(...args)
      .catch(setError)
      .finally(() => {
        running.current = false
        setPending(false)
      })
  }, [])
  const clear = useCallback(() => setError(undefined), [])
  return { run, pending, error, clear }
}
