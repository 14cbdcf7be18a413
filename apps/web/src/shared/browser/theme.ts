import { useSyncExternalStore } from 'react'
import { applyTheme, readTheme, THEME_KEY, type Theme } from './stored-theme.ts'

const listeners = new Set<() => void>()

/** Chooses a theme, saves it and updates every switch on the page. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, theme)
  } catch {
    // Without storage the choice lasts only for this page.
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

/** The chosen theme. Follows changes, including those from other tabs. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme, readTheme)
}
