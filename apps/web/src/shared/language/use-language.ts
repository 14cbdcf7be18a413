import { useSyncExternalStore } from 'react'
import { currentLanguage, type Language, whenLanguageChanges } from './language.ts'

/** The language of the page at this moment. */
export function useLanguage(): Language {
  return useSyncExternalStore(whenLanguageChanges, currentLanguage, currentLanguage)
}
