import { useSyncExternalStore } from 'react'
import { currentLanguage, type Language, whenLanguageChanges } from './language.ts'

/** The page's current language, in a component. */
export function useLanguage(): Language {
  return useSyncExternalStore(whenLanguageChanges, currentLanguage, currentLanguage)
}
