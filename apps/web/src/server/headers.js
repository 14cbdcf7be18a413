// The headers of every response, in one list: the production server sends them, and `static-hosts.js` writes them down for
// static hosts.
import { contentSecurityPolicy, NONE } from './content-security-policy.js'
import { CONNECT, DEMO_APP, inEveryLanguage, PAGE_PATHS, PAYMENT, ROUTES } from './pages.js'

/** @typedef {Record<string, string>} Headers */
/** @typedef {import('./content-security-policy.js').PagePolicy} PagePolicy */

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
