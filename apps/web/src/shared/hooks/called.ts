import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

// Forms that were asked for and are not there yet: one that is still being fetched, or stands behind a locked vault.
const called = new Set<string>()
const listeners = new Set<() => void>()

/** Asks for a form by its name: it begins anew and takes the focus, at once or as soon as it is there. */
export function callForm(name: string): void {
  called.add(name)
  for (const listener of listeners) listener()
}

/**
 * Answers when a form is asked for.
 * @param onCalled puts the form back where something else took its place
 * @returns what takes the focus then
 */
export function useCalled<T extends HTMLElement>(name: string, onCalled?: () => void): RefObject<T | null> {
  const place = useRef<T>(null)
  const [calls, setCalls] = useState(0)
  const answer = useEffectEvent(() => {
    if (!called.delete(name)) return
    onCalled?.()
    setCalls((before) => before + 1)
  })
  useEffect(() => {
    const hear = () => answer()
    hear()
    listeners.add(hear)
    return () => {
      listeners.delete(hear)
    }
  }, [])
  useEffect(() => {
    if (calls > 0) place.current?.focus()
  }, [calls])
  return place
}
