/**
 * The languages in which the client is complete: their own names, and their word for a language, by which they are searched for on a
 * page that its reader cannot read. A new one is a line here and a folder of catalogues beside this
 * file, named by its tag: the build, the server, the service worker and the pages read this table.
 */
export const LANGUAGES = /** @type {const} */ ({
  en: { name: 'English', word: 'language' },
  de: { name: 'Deutsch', word: 'Sprache' },
})

/** @typedef {keyof typeof LANGUAGES} Language */

/** The language of the messages in the code, which has no catalogue, and the one that is shown where none of a person's is known. @type {Language} */
export const SOURCE_LANGUAGE = 'en'

/** Every language, the source first. */
export const LANGUAGE_TAGS = /** @type {readonly Language[]} */ (Object.keys(LANGUAGES))

/** Those that have catalogues. */
export const TRANSLATED_TAGS = LANGUAGE_TAGS.filter((each) => each !== SOURCE_LANGUAGE)

/**
 * @param {unknown} value
 * @returns {value is Language}
 */
export function isLanguage(value) {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value)
}

/**
 * The first of a person's languages that there is.
 * @param {readonly string[]} tags BCP 47, dearest first: `de-AT`
 * @returns {Language}
 */
export function preferredLanguage(tags) {
  return tags.map((tag) => /^[a-z]+/i.exec(tag)?.[0].toLowerCase()).find(isLanguage) ?? SOURCE_LANGUAGE
}

/**
 * The file of the build with which a page begins in a language.
 * @param {string} name such as `index`
 * @param {Language} language
 * @returns {string} `index.html`, `index.de.html`
 */
export function beginningFile(name, language) {
  return language === SOURCE_LANGUAGE ? `${name}.html` : `${name}.${language}.html`
}
