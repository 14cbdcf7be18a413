// The client's addresses, and the page that answers for each.
import { beginningFile, LANGUAGE_TAGS, preferredLanguage, SOURCE_LANGUAGE } from '../locales/languages.js'

/** The six routes of the client: an address that is none of them is answered with 404, and the client's not-found page. */
export const ROUTES = ['/', '/search', '/register', '/payment', '/identity', '/demo']

/** The document that apps on other origins open to ask for something. It is no route: nothing in the client leads there or away. */
export const CONNECT = '/connect'

/** The demo's app, which opens that one as an app on any other site would: a document of its own, without a vault in it, and no route. */
export const DEMO_APP = '/demo-app'

/**
 * The payment method, which is a route too; its manifest; the manifest of the app that handles it; and that one's icon, which the
 * browser fetches as a part of the merchant's page, and without which it installs no handler.
 */
export const PAYMENT = {
  method: '/payment',
  manifest: '/payment-manifest.json',
  app: '/payment.webmanifest',
  icon: '/payment-icon.png',
}

/**
 * The page in its beginnings, each in every language: with the landing, for `/`, with the frame alone, as what apps open, or as the
 * demo's app.
 */
export const BEGINNINGS = /** @type {const} */ (['index', 'frame', 'connect', 'demo-app'])

/** @typedef {(typeof BEGINNINGS)[number]} Beginning */

/** In every language at once: for static hosts, which answer with it where there is nothing. */
export const NOT_FOUND_PAGE = '/404.html'

/**
 * The path of a page that begins so.
 * @param {Beginning} beginning
 * @param {import('../locales/languages.js').Language} [language]
 */
export function pagePath(beginning, language = SOURCE_LANGUAGE) {
  return `/${beginningFile(beginning, language)}`
}

/** The paths of the page that begins so, in every language. @param {Beginning} beginning */
export const inEveryLanguage = (beginning) => LANGUAGE_TAGS.map((language) => pagePath(beginning, language))

/** The paths of all these pages. */
export const PAGE_PATHS = [...BEGINNINGS.flatMap(inEveryLanguage), NOT_FOUND_PAGE]

/**
 * The page that answers for a route.
 * @param {string} pathname
 * @param {string} [languages] the request's Accept-Language, whose order is taken for its preference
 */
export function pageFor(pathname, languages = '') {
  const language = preferredLanguage(languages.split(',').map((tag) => tag.trim()))
  if (pathname === '/') return pagePath('index', language)
  if (pathname === CONNECT) return pagePath('connect', language)
  if (pathname === DEMO_APP) return pagePath('demo-app', language)
  return pagePath('frame', language)
}
