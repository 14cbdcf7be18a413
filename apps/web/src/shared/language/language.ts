import { CATALOGUES } from 'virtual:catalogues'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { isLanguage, type Language, preferredLanguage, SOURCE_LANGUAGE } from '../../locales/languages.js'

export type { Language } from '../../locales/languages.js'

type Values = Record<string, unknown>
type Translate = (message: string | MessageDescriptor, values?: Values, options?: object) => string

/** Stands for a backslash in what is put into a message: a code point that is no letter, and that no text has. */
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
 * Lingui reads `\u0041` and `\x41` as letters, and does so in the whole text, after someone's values were put in: a token
 * could be shown to say what it does not. Here values come out as they went in.
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

/** The language chosen on this machine; else the first of the browser's that there is; else English. */
export function readLanguage(): Language {
  try {
    const stored = localStorage.getItem(KEY)
    if (isLanguage(stored)) return stored
  } catch {
    // Without storage the browser's own languages decide.
  }
  return preferredLanguage(navigator.languages)
}

/** The tag by which dates and numbers are written: the browser's own variant of the language, where it has one. */
export function formatTag(): string {
  const language = i18n.locale || SOURCE_LANGUAGE
  const own = typeof navigator === 'undefined' ? undefined : navigator.languages
  return (
    own?.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ??
    (language === 'en' ? 'en-GB' : language)
  )
}

/** The one that was asked for last: a catalogue that comes after another choice was made is not wanted any more. */
let wanted: Language | undefined

/** Puts a language on the page. The one of the code is there at once; another one is fetched first. */
export async function showLanguage(language: Language): Promise<void> {
  wanted = language
  const { messages } = await readers[language]()
  if (wanted !== language) return
  i18n.load(language, messages)
  i18n.activate(language)
  // There is none where a page's beginning is drawn, in Node.
  if (typeof document !== 'undefined') document.documentElement.lang = language
  for (const listener of listeners) listener()
}

/** Chooses a language and remembers it here. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language)
  if (wanted !== language) return
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // Without storage the choice holds for this page alone.
  }
}

/** Hears when another language is put on the page. @returns the unsubscribe */
export function whenLanguageChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The language of the page at this moment. */
export function currentLanguage(): Language {
  return isLanguage(i18n.locale) ? i18n.locale : SOURCE_LANGUAGE
}
