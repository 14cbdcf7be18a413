import { useCallback, useRef, useState } from 'react'

interface Step<Args extends unknown[]> {
  /** Runs it. A second call while one is running is ignored. */
  run: (...args: Args) => void
  pending: boolean
  /** Why the last run was refused. */
  error: unknown
}

/** One of the app's steps: whether it is running, and its result. The app has no query client, which would load the vault's scripts. */
export function useStep<Args extends unknown[]>(perform: (...args: Args) => Promise<void>): Step<Args> {
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
  return { run, pending, error }
}
