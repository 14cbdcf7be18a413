import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'

interface Action<Args extends unknown[]> {
  /** Runs it at once; a second call while one runs is ignored. */
  run: (...args: Args) => void
  pending: boolean
  /** What the last run was refused with. */
  error: unknown
  /** Forgets the error, once the person has changed something. */
  clear: () => void
}

/**
 * What a mutation is told of: a run, while there is one. The mutation stays in the cache for as long as its outcome is shown, and must
 * not reach what was typed: no arguments, and nothing that the component has.
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
    // Of a component that is gone, nothing is asked any more.
    gcTime: 1000,
  }
}

/** Apart from the hook, so that no function remembers the arguments: the trace of an error leads to the functions that it went through. */
async function begin<Args extends unknown[]>(
  perform: (...args: Args) => Promise<void>,
  args: Args,
): Promise<void> {
  await perform(...args)
}

/** One thing a person can do: whether it is under way, and what came of it. Its arguments are kept nowhere once it has run. */
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
      // It begins within the event, as focus and what a browser allows after a press need; a refusal that is thrown is one like others.
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
