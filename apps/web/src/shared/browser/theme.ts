import { useSyncExternalStore } from 'react'
import { applyTheme, readTheme, THEME_KEY, type Theme } from './stored-theme.ts'

const listeners = new Set<() => void>()

/** Chooses a theme, remembers it here and tells every switch on the page. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, theme)
  } catch {
    // Without storage the choice holds for this page alone.
  }
  applyTheme(theme)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const fromAnotherTab = (event: StorageEvent) => {
    if (event.key !== THEME_KEY) return
    applyTheme()
    listener()
  }
  listeners.add(listener)
  addEventListener('storage', fromAnotherTab)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', fromAnotherTab)
  }
}

/** The chosen theme, kept up to date, also from other tabs. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme, readTheme)
}
