import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'

interface Action<Args extends unknown[]> {
  /** Runs it at once. A second call while one is running is ignored. */
  run: (...args: Args) => void
  pending: boolean
  /** Why the last run was refused. */
  error: unknown
  /** Clears the error, once the person has changed something. */
  clear: () => void
}

/**
 * What the mutation refers to: the current run. The mutation stays in the cache while its outcome is shown, so it must not hold what was
 * typed: no arguments, and nothing of the component.
 */
class Run {
  work: Promise<void> | undefined

  readonly mutation = {
    mutationFn: async () => {
      try {
        await this.work
      } finally {
        this.work = undefined
      }
    },
    // Once the component is gone, no one needs the outcome.
    gcTime: 1000,
  }
}

/** Outside the hook, so that no closure holds the arguments: an error's trace refers to the functions it went through. */
async function begin<Args extends unknown[]>(
  perform: (...args: Args) => Promise<void>,
  args: Args,
): Promise<void> {
  await perform(...args)
}

/** One action a person can take: whether it is running, and its result. Its arguments aren't kept once it has run. */
export function useAction<Args extends unknown[]>(perform: (...args: Args) => Promise<void>): Action<Args> {
  const [current] = useState(() => new Run())
  const { mutate, reset, isPending, isError, error } = useMutation(current.mutation)
  const latest = useRef(perform)
  latest.current = perform
  const isRefused = useRef(isError)
  isRefused.current = isError

  const run = useCallback(
    (...args: Args) => {
      if (current.work) return
      // Start inside the event: focusing, and what browsers allow only after a press, need that. A thrown refusal is handled like any
      // other.
      current.work = begin(latest.current, args)
      mutate()
    },
    [current, mutate],
  )
  const clear = useCallback(() => {
    if (isRefused.current) reset()
  }, [reset])
  return { run, pending: isPending, error: error ?? undefined, clear }
}
