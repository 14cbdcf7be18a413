// The headers of every response, in one list: the production server sends them, and `static-hosts.js` writes them down for
// static hosts.
import { createHash } from 'node:crypto'

/** @typedef {Record<string, string>} Headers */

/** The six routes of the client: an address that is none of them is answered with 404, and the client's not-found page. */
export const ROUTES = ['/', '/search', '/register', '/payment', '/identity', '/demo']

/**
 * The content security policy. Nothing is allowed but what the client uses: no inline script or style, no `eval`, no font, no
 * form target, no frame, no other origin.
 * @param {readonly string[]} [inlineHashes] CSP hashes (`sha256-…`) of the import map in index.html, where there is one.
 */
export function contentSecurityPolicy(inlineHashes = []) {
  return [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...inlineHashes.map((hash) => `'${hash}'`)].join(' '),
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
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
 * The CSP hashes of the inline import maps of a page.
 * @param {string} html
 */
export function inlineHashes(html) {
  return [...html.matchAll(/<script type="importmap">([\s\S]*?)<\/script>/g)].map(
    ([, source]) =>
      `sha256-${createHash('sha256')
        .update(source ?? '')
        .digest('base64')}`,
  )
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
 * @param {readonly string[]} [hashes] as of {@link inlineHashes}
 * @returns {Headers}
 */
export function commonHeaders(hashes = []) {
  return {
    'Content-Security-Policy': contentSecurityPolicy(hashes),
    'Cross-Origin-Opener-Policy': 'same-origin',
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
export const REVALIDATED = { 'Cross-Origin-Resource-Policy': 'same-origin', 'Cache-Control': 'no-cache' }

/**
 * The headers that depend on the path. A path that ends in `*` stands for all that begin so. No two of them match the same
 * path: static hosts disagree on what then counts.
 * @type {ReadonlyArray<{path: string, headers: Headers}>}
 */
export const PATH_HEADERS = [
  // Their names carry a hash of what is in them.
  {
    path: '/assets/*',
    headers: {
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  },
  // A merchant's page on another origin has to be able to find the payment method.
  {
    path: '/payment',
    headers: { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Cache-Control': 'no-cache' },
  },
  ...[
    ...ROUTES.filter((route) => route !== '/payment'),
    '/index.html',
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
 * @param {readonly string[]} [hashes] as of {@link inlineHashes}
 * @returns {Headers}
 */
export function headersFor(pathname, hashes = []) {
  const found = PATH_HEADERS.find(({ path }) => matches(path, pathname))
  return { ...commonHeaders(hashes), ...(found?.headers ?? REVALIDATED) }
}
