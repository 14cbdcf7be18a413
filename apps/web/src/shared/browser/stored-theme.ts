/** "system" follows prefers-color-scheme. */
export type Theme = 'system' | 'light' | 'dark'

/** Where the choice stands in localStorage. */
export const THEME_KEY = 'keyhole:theme'

/** The theme chosen on this machine; "system" when none was, or where storage is refused. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(THEME_KEY)
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
