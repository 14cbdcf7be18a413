import { useCallback, useSyncExternalStore } from 'react'

// What was typed outlives a change of tab, a lock and a refusal; it is in memory alone and ends with the page.
// No passphrase is ever kept here.
const drafts = new Map<string, unknown>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Puts a draft under a name from outside the form that shows it: a token found elsewhere, a template. */
export function setDraft<T>(name: string, value: T): void {
  drafts.set(name, value)
  for (const listener of listeners) listener()
}

/** What a draft says at this moment, as `useDraft` reads it. */
export function draftAt<T>(name: string, initial: T, is: (value: unknown) => value is T): T {
  const stored = drafts.get(name)
  return stored !== undefined && is(stored) ? stored : initial
}

/** Forgets a draft, once it has become something. */
export function clearDraft(name: string): void {
  drafts.delete(name)
  for (const listener of listeners) listener()
}

/** Forgets all drafts, as a new document does. */
export function clearDrafts(): void {
  drafts.clear()
  for (const listener of listeners) listener()
}

/**
 * State that survives its component, by name.
 * @param initial the value to begin with; the same object at each render, for it is what an absent draft reads as
 * @param is tells a draft of the right shape from another's of the same name
 */
export function useDraft<T>(
  name: string,
  initial: T,
  is: (value: unknown) => value is T,
): [T, (value: T) => void] {
  const value = useSyncExternalStore(subscribe, () => draftAt(name, initial, is))
  const set = useCallback((next: T) => setDraft(name, next), [name])
  return [value, set]
}

/** A draft of one text. */
export function useTextDraft(name: string, initial = ''): [string, (value: string) => void] {
  return useDraft(name, initial, (value): value is string => typeof value === 'string')
}
