import { useSyncExternalStore } from 'react'

/** By account, how many revocations the relay should have and doesn't, as far as this page knows. */
const waiting = new Map<unknown, number>()
const listeners = new Set<() => void>()

/** How many revocations wait for the relay. */
export function waitingOf(address: string | undefined): number {
  return waiting.get(address) ?? 0
}

/** Says how many revocations wait for the relay. */
export function setWaiting(address: string, count: number): void {
  waiting.set(address, count)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How many revocations wait for the relay, in a component. */
export function useWaiting(address: string | undefined): number {
  return useSyncExternalStore(subscribe, () => waitingOf(address))
}
