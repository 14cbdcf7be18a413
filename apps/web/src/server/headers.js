// The headers of every response, in one list: the production server sends them, and `static-hosts.js` writes them down for
// static hosts.
import { createHash } from 'node:crypto'
import { beginningFile, LANGUAGE_TAGS, preferredLanguage, SOURCE_LANGUAGE } from '../locales/languages.js'
import { HOSTS_META } from '../shared/vault/hosts-meta.js'

/** @typedef {Record<string, string>} Headers */

/**
 * What a page's content security policy allows besides what all of them do: CSP hashes (`sha256-…`) of its import map and of its style
 * sheet, and the hosts that may be asked for the keys of a `did:web`.
 * @typedef {{scripts: readonly string[], styles: readonly string[], hosts: readonly string[]}} PagePolicy
 */

/** @type {PagePolicy} */
const NONE = { scripts: [], styles: [], hosts: [] }

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

/** @param {Beginning} beginning */
const inEveryLanguage = (beginning) => LANGUAGE_TAGS.map((language) => pagePath(beginning, language))

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

/**
 * The content security policy. Nothing is allowed but what the client uses: no inline script or style but the two whose hashes
 * are given, no `eval`, no form target, no frame, no other origin but the hosts that whoever built the client named.
 * @param {PagePolicy} [policy] as of {@link pagePolicy}
 */
export function contentSecurityPolicy(policy = NONE) {
  /** @param {readonly string[]} list */
  const quoted = (list) => list.map((hash) => `'${hash}'`)
  return [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...quoted(policy.scripts)].join(' '),
    ["style-src 'self'", ...quoted(policy.styles)].join(' '),
    "img-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", ...policy.hosts.map((host) => `https://${host}`)].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types keyhole',
  ].join('; ')
}

/**
 * @param {string} html
 * @returns {PagePolicy}
 */
export function pagePolicy(html) {
  /** @param {RegExp} element */
  const hashesOf = (element) =>
    [...html.matchAll(element)].map(
      ([, source]) =>
        `sha256-${createHash('sha256')
          .update(source ?? '')
          .digest('base64')}`,
    )
  return {
    scripts: hashesOf(/<script type="importmap">([\s\S]*?)<\/script>/g),
    styles: hashesOf(/<style>([\s\S]*?)<\/style>/g),
    hosts: (new RegExp(`<meta name="${HOSTS_META}" content="([^"]*)"`).exec(html)?.[1] ?? '')
      .split(' ')
      .filter((host) => host !== ''),
  }
}

const DENIED = [
  'accelerometer',
  'autoplay',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
const OWN = ['camera', 'payment', 'publickey-credentials-create', 'publickey-credentials-get']

/**
 * The headers that are the same on every path.
 * @param {PagePolicy} [policy] as of {@link pagePolicy}
 * @returns {Headers}
 */
export function commonHeaders(policy = NONE) {
  return {
    'Content-Security-Policy': contentSecurityPolicy(policy),
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': [
      ...DENIED.map((feature) => `${feature}=()`),
      ...OWN.map((feature) => `${feature}=(self)`),
    ].join(', '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  }
}

/**
 * What depends on the path, where nothing else is said.
 * @type {Headers}
 */
export const REVALIDATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

/** What an app has opened must be able to answer it: this document alone keeps its opener. @type {Headers} */
const KEEPS_OPENER = { ...REVALIDATED, 'Cross-Origin-Opener-Policy': 'unsafe-none' }

/** What opens that document must hear its answer: this one keeps the windows that it opens, and has no opener of another policy itself. @type {Headers} */
const KEEPS_OPENED = { ...REVALIDATED, 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' }

/** What belongs to a merchant's page as well. @type {Headers} */
const FOUND_FROM_ANYWHERE = { ...REVALIDATED, 'Cross-Origin-Resource-Policy': 'cross-origin' }

const CONNECT_PATHS = [CONNECT, ...inEveryLanguage('connect')]
const DEMO_APP_PATHS = [DEMO_APP, ...inEveryLanguage('demo-app')]

/**
 * The headers that depend on the path. A path that ends in `*` stands for all that begin so. No two of them match the same
 * path: static hosts disagree on what then counts.
 * @type {ReadonlyArray<{path: string, headers: Headers}>}
 */
export const PATH_HEADERS = [
  // Their names carry a hash of what is in them.
  {
    path: '/assets/*',
    headers: { ...REVALIDATED, 'Cache-Control': 'public, max-age=31536000, immutable' },
  },
  // A browser on a merchant's page, which is of another origin, has to be able to find the payment method by these: each names the
  // next (Payment Method Manifest, section 3).
  {
    path: PAYMENT.method,
    headers: { ...FOUND_FROM_ANYWHERE, Link: `<${PAYMENT.manifest}>; rel=payment-method-manifest` },
  },
  ...[PAYMENT.manifest, PAYMENT.app, PAYMENT.icon].map((path) => ({ path, headers: FOUND_FROM_ANYWHERE })),
  ...CONNECT_PATHS.map((path) => ({ path, headers: KEEPS_OPENER })),
  ...DEMO_APP_PATHS.map((path) => ({ path, headers: KEEPS_OPENED })),
  ...[
    ...ROUTES.filter((route) => route !== PAYMENT.method),
    ...PAGE_PATHS.filter((path) => ![...CONNECT_PATHS, ...DEMO_APP_PATHS].includes(path)),
    '/sw.js',
    '/enclave.wasm',
    '/manifest.webmanifest',
    '/icons/*',
  ].map((path) => ({ path, headers: REVALIDATED })),
]

/**
 * Whether a path of {@link PATH_HEADERS} stands for `pathname`.
 * @param {string} path
 * @param {string} pathname
 */
export function matches(path, pathname) {
  return path.endsWith('*') ? pathname.startsWith(path.slice(0, -1)) : pathname === path
}

/**
 * All headers of one path.
 * @param {string} pathname
 * @param {PagePolicy} [policy] as of {@link pagePolicy}
 * @returns {Headers}
 */
export function headersFor(pathname, policy = NONE) {
  const found = PATH_HEADERS.find(({ path }) => matches(path, pathname))
  return { ...commonHeaders(policy), ...(found?.headers ?? REVALIDATED) }
}
