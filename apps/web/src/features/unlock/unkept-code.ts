import { useSyncExternalStore } from 'react'

// A code itself is never stored: only that one was made, and that nobody has given it back.
const PREFIX = 'keyhole:unkept:'
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/** Remembers that a recovery code was made for an account, until it is given back, used, or removed. */
export function noteUnkept(address: string): void {
  try {
    localStorage.setItem(PREFIX + address, '1')
  } catch {
    // Without storage it is known for as long as the code is shown.
  }
  tell()
}

/** The account's recovery code was given back or served, or there is none any more. */
export function forgetUnkept(address: string): void {
  try {
    localStorage.removeItem(PREFIX + address)
  } catch {
    // Nothing was remembered either.
  }
  tell()
}

/** Whether the account has a recovery code of which nobody has shown that it was kept. */
export function isUnkept(address: string | undefined): boolean {
  if (address === undefined) return false
  try {
    return localStorage.getItem(PREFIX + address) !== null
  } catch {
    return false
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** The same, as it changes, here or in another tab. */
export function useUnkept(address: string | undefined): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isUnkept(address),
    () => false,
  )
}
