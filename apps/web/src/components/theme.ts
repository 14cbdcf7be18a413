import { useSyncExternalStore } from 'react'

/** "system" follows prefers-color-scheme. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'keyhole:theme'
const listeners = new Set<() => void>()

/** The theme chosen on this machine; "system" when none was, or where storage is refused. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Puts the stored theme on the document. Called before the first draw. */
export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.dataset.theme = theme
}

/** Chooses a theme, remembers it here and tells every switch on the page. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Without storage the choice holds for this page alone.
  }
  applyTheme(theme)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const fromAnotherTab = (event: StorageEvent) => {
    if (event.key !== KEY) return
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
