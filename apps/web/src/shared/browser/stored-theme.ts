/** "system" follows prefers-color-scheme. */
export type Theme = 'system' | 'light' | 'dark'

/** Its key in localStorage. */
export const THEME_KEY = 'keyhole:theme'

/** The theme chosen on this device. "system" if none was chosen, or storage is unavailable. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(THEME_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Applies the stored theme to the document, before the first paint. */
export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.dataset.theme = theme
}
