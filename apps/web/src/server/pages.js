// The client's addresses, and the page for each.
import { beginningFile, LANGUAGE_TAGS, preferredLanguage, SOURCE_LANGUAGE } from '../locales/languages.js'

/** The client's six routes. Any other address gets 404 and the client's not-found page. */
export const ROUTES = ['/', '/search', '/register', '/payment', '/identity', '/demo']

/** The document that apps on other origins open to ask for something. It isn't a route: nothing in the client links to it or from it. */
export const CONNECT = '/connect'

/**
 * The demo's app, which opens that document as an app on any other site would. It is a separate document without a vault, and not a route.
 */
export const DEMO_APP = '/demo-app'

/**
 * The payment method, which is also a route; its manifest; the manifest of the app that handles it; and that app's icon. The browser
 * fetches the icon as part of the merchant's page and installs no handler without it.
 */
export const PAYMENT = {
  method: '/payment',
  manifest: '/payment-manifest.json',
  app: '/payment.webmanifest',
  icon: '/payment-icon.png',
}

/** The routes that come drawn for someone without a vault, besides the landing page. */
export const DRAWN = /** @type {const} */ (['search', 'register', 'payment', 'identity', 'demo'])

/**
 * The variants of the start page, each in every language: with the landing page for `/`, with each other route as someone without a vault
 * sees it, with the frame alone, for apps that open it, and the demo's app.
 */
export const BEGINNINGS = /** @type {const} */ (['index', 'frame', 'connect', 'demo-app', ...DRAWN])

/** @typedef {(typeof BEGINNINGS)[number]} Beginning */

/** In every language at once: static hosts send it for unknown addresses. */
export const NOT_FOUND_PAGE = '/404.html'

/**
 * The path of a start page.
 * @param {Beginning} beginning
 * @param {import('../locales/languages.js').Language} [language]
 */
export function pagePath(beginning, language = SOURCE_LANGUAGE) {
  return `/${beginningFile(beginning, language)}`
}

/** The paths of a start page in every language. @param {Beginning} beginning */
export const inEveryLanguage = (beginning) => LANGUAGE_TAGS.map((language) => pagePath(beginning, language))

/** The paths of all these pages. */
export const PAGE_PATHS = [...BEGINNINGS.flatMap(inEveryLanguage), NOT_FOUND_PAGE]

/**
 * The page for a route.
 * @param {string} pathname
 * @param {string} [languages] the request's Accept-Language; its order counts as the preference
 * @param {boolean} [isPlain] whether the address has no query: with one, it asks for something else than what was drawn
 */
export function pageFor(pathname, languages = '', isPlain = true) {
  const language = preferredLanguage(languages.split(',').map((tag) => tag.trim()))
  if (pathname === '/') return pagePath('index', language)
  if (pathname === CONNECT) return pagePath('connect', language)
  if (pathname === DEMO_APP) return pagePath('demo-app', language)
  const drawn = isPlain ? DRAWN.find((route) => pathname === `/${route}`) : undefined
  return pagePath(drawn ?? 'frame', language)
}
