import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

// Forms that were requested but aren't there yet: still loading, or behind a locked vault.
const called = new Set<string>()
const listeners = new Set<() => void>()

/** Asks for a form by name: it starts empty and takes the focus, at once or as soon as it is there. */
export function requestForm(name: string): void {
  called.add(name)
  for (const listener of listeners) listener()
}

/**
 * Responds when a form is requested.
 * @param onCalled brings the form back if something else took its place
 * @returns a ref for the element to focus
 */
export function useRequestedForm<T extends HTMLElement>(
  name: string,
  onCalled?: () => void,
): RefObject<T | null> {
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
