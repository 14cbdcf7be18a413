// The headers of every response, in one list. The production server sends them, and `static-hosts.js` writes them out for static hosts.
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
 * @param {PagePolicy} [policy] from {@link pagePolicy}
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
 * The defaults of the headers that depend on the path.
 * @type {Headers}
 */
export const REVALIDATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

/** The page that an app opens must be able to answer it, so only this document keeps its opener. @type {Headers} */
const KEEPS_OPENER = { ...REVALIDATED, 'Cross-Origin-Opener-Policy': 'unsafe-none' }

/**
 * The page that opens that document must hear its answer, so it keeps the windows that it opens. It has no opener with another policy
 * itself.
 * @type {Headers}
 */
const KEEPS_OPENED = { ...REVALIDATED, 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' }

/** Files that a merchant's page uses too. @type {Headers} */
const FOUND_FROM_ANYWHERE = { ...REVALIDATED, 'Cross-Origin-Resource-Policy': 'cross-origin' }

const CONNECT_PATHS = [CONNECT, ...inEveryLanguage('connect')]
const DEMO_APP_PATHS = [DEMO_APP, ...inEveryLanguage('demo-app')]

/**
 * The headers that depend on the path. A path ending in `*` matches every path that starts like it. No two entries match the same path,
 * because static hosts disagree about which one wins.
 * @type {ReadonlyArray<{path: string, headers: Headers}>}
 */
export const PATH_HEADERS = [
  // The file names contain a hash of the content.
  {
    path: '/assets/*',
    headers: { ...REVALIDATED, 'Cache-Control': 'public, max-age=31536000, immutable' },
  },
  // A browser on a merchant's page, on another origin, must be able to find the payment method through these. Each names the next (Payment
  // Method Manifest, section 3).
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
    '/enclave-devices.wasm',
    '/manifest.webmanifest',
    '/icons/*',
  ].map((path) => ({ path, headers: REVALIDATED })),
]

/**
 * Whether a path of {@link PATH_HEADERS} matches `pathname`.
 * @param {string} path
 * @param {string} pathname
 */
export function matches(path, pathname) {
  return path.endsWith('*') ? pathname.startsWith(path.slice(0, -1)) : pathname === path
}

/**
 * All headers of one path.
 * @param {string} pathname
 * @param {PagePolicy} [policy] from {@link pagePolicy}
 * @returns {Headers}
 */
export function headersFor(pathname, policy = NONE) {
  const found = PATH_HEADERS.find(({ path }) => matches(path, pathname))
  return { ...commonHeaders(policy), ...(found?.headers ?? REVALIDATED) }
}
