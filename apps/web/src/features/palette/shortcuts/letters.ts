import { useSyncExternalStore } from 'react'

const KEY = 'keyhole:shortcuts'
const listeners = new Set<() => void>()

/** Whether keys without a modifier do something here. On, until the person turns it off. */
export function lettersAreOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

/** Turns keys without a modifier on or off, and remembers it on this machine. */
export function turnLetters(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Without storage it cannot be remembered; nothing else hangs on it.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether keys without a modifier do something, kept up to date. */
export function useLetters(): boolean {
  return useSyncExternalStore(subscribe, lettersAreOn)
}
