import { CATALOGUES } from 'virtual:catalogues'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { isLanguage, type Language, preferredLanguage, SOURCE_LANGUAGE } from '../../locales/languages.js'

export type { Language } from '../../locales/languages.js'

type Values = Record<string, unknown>
type Translate = (message: string | MessageDescriptor, values?: Values, options?: object) => string

/** Stands for a backslash in values of a message: a code point that isn't a character and that no text has. */
const BACKSLASH = '\ufdd0'

function held(values: Values | undefined): Values | undefined {
  if (!values || !Object.values(values).some((value) => typeof value === 'string' && value.includes('\\')))
    return values
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\\', BACKSLASH) : value,
    ]),
  )
}

/**
 * Lingui turns `\u0041` and `\x41` into letters in the whole text, after values were inserted. A token could then appear to say something
 * else. With this, values come out as they went in.
 */
function keepBackslashes(): void {
  const translate = i18n._.bind(i18n) as Translate
  const exact: Translate = (message, values, options) => {
    const descriptor =
      typeof message !== 'string' && message.values
        ? { ...message, values: held(message.values) ?? {} }
        : message
    return translate(descriptor, held(values), options).replaceAll(BACKSLASH, '\\')
  }
  Object.assign(i18n, { _: exact, t: exact })
}
keepBackslashes()

const KEY = 'keyhole:language'
const readers = CATALOGUES as Record<Language, (typeof CATALOGUES)[string]>
const listeners = new Set<() => void>()

/** The language chosen on this device, otherwise the first of the browser's languages that we have, otherwise English. */
export function readLanguage(): Language {
  try {
    const stored = localStorage.getItem(KEY)
    if (isLanguage(stored)) return stored
  } catch {
    // Without storage, use the browser's languages.
  }
  return preferredLanguage(navigator.languages)
}

/** The tag for formatting dates and numbers: the browser's own variant of the language, if it has one. */
export function formatTag(): string {
  const language = i18n.locale || SOURCE_LANGUAGE
  const own = typeof navigator === 'undefined' ? undefined : navigator.languages
  return (
    own?.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ??
    (language === 'en' ? 'en-GB' : language)
  )
}

/** The language requested last. A catalogue that arrives after another choice is dropped. */
let wanted: Language | undefined

/** Switches the page's language. English is there at once; others load first. */
export async function showLanguage(language: Language): Promise<void> {
  wanted = language
  const { messages } = await readers[language]()
  if (wanted !== language) return
  i18n.load(language, messages)
  i18n.activate(language)
  // In Node, where start pages are rendered, there is no document.
  if (typeof document !== 'undefined') document.documentElement.lang = language
  for (const listener of listeners) listener()
}

/** Chooses a language and saves it. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language)
  if (wanted !== language) return
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // Without storage the choice lasts only for this page.
  }
}

/** Calls `listener` when the page's language changes. @returns the unsubscribe function */
export function whenLanguageChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The page's current language. */
export function currentLanguage(): Language {
  return isLanguage(i18n.locale) ? i18n.locale : SOURCE_LANGUAGE
}
