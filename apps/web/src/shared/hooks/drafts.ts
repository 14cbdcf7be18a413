import { useCallback, useSyncExternalStore } from 'react'

// Drafts survive a change of tab, a lock and a refusal. They are only in memory and end with the page. Never put a passphrase in one.
const drafts = new Map<string, unknown>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sets a draft by name from outside its form, such as a token found elsewhere or a template. */
export function setDraft<T>(name: string, value: T): void {
  drafts.set(name, value)
  for (const listener of listeners) listener()
}

/** A draft's current value, as `useDraft` reads it. */
export function draftAt<T>(name: string, initial: T, is: (value: unknown) => value is T): T {
  const stored = drafts.get(name)
  return stored !== undefined && is(stored) ? stored : initial
}

/** Removes a draft once it has been used. */
export function clearDraft(name: string): void {
  drafts.delete(name)
  for (const listener of listeners) listener()
}

/** Removes all drafts, as a new document would. */
export function clearDrafts(): void {
  drafts.clear()
  for (const listener of listeners) listener()
}

/**
 * Named state that survives its component.
 * @param initial the value of a missing draft; must be the same object at each render
 * @param is checks that a draft has the right type, in case another uses the same name
 */
export function useDraft<T>(
  name: string,
  initial: T,
  is: (value: unknown) => value is T,
): [T, (value: T) => void] {
  const read = () => draftAt(name, initial, is)
  const value = useSyncExternalStore(subscribe, read, read)
  const set = useCallback((next: T) => setDraft(name, next), [name])
  return [value, set]
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** A text draft. */
export function useTextDraft(name: string, initial = ''): [string, (value: string) => void] {
  return useDraft(name, initial, isText)
}

/** Makes the text that a draft begins with the person's own, unless they have typed another: it no longer changes by itself. */
export function keepTextDraft(name: string, initial: string): void {
  setDraft(name, draftAt(name, initial, isText))
}
