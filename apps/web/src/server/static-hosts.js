// The same headers as files for static hosts, made from the list in `headers.js`.
import { HOST_FILES, LIST } from './build.js'
import { commonHeaders, PATH_HEADERS, REVALIDATED } from './headers.js'
import { CONNECT, DEMO_APP, NOT_FOUND_PAGE, PAYMENT, pageFor, ROUTES } from './pages.js'

/** @typedef {import('./headers.js').Headers} Headers */
/** @typedef {import('./content-security-policy.js').PagePolicy} PagePolicy */

/** Files in the folder that configure hosts and must be hidden. Hosts hide the two that start with `_`, but not these. */
const HIDDEN = HOST_FILES.filter((name) => !name.startsWith('_')).map((name) => `/${name}`)

const ELSEWHERE = [...ROUTES.filter((route) => route !== '/'), CONNECT, DEMO_APP]

/** @type {Readonly<Record<string, string>>} */
const NGINX_TYPES = {
  '/enclave.wasm': 'application/wasm',
  '/enclave-devices.wasm': 'application/wasm',
  '/manifest.webmanifest': 'application/manifest+json',
  [PAYMENT.app]: 'application/manifest+json',
}

/** @param {Headers} headers */
const lines = (headers) => Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)

/**
 * `_headers` for Netlify and Cloudflare Pages: each matching rule adds its headers.
 * @param {PagePolicy} policy from `pagePolicy`
 */
export function headersFile(policy) {
  const rules = [{ path: '/*', headers: commonHeaders(policy) }, ...PATH_HEADERS]
  return `${rules.map(({ path, headers }) => [path, ...lines(headers)].join('\n')).join('\n\n')}\n`
}

/**
 * `_redirects`: each route gets the frame, in which the client draws its page. It is in English, because static hosts don't check the
 * language. The files that configure hosts aren't served; hosts that don't know such a line ignore it.
 */
export function redirectsFile() {
  const lines = [
    ...ELSEWHERE.map((route) => `${route} ${pageFor(route)} 200`),
    ...HIDDEN.map((path) => `${path} ${NOT_FOUND_PAGE} 404!`),
  ]
  return `${lines.join('\n')}\n`
}

/**
 * `vercel.json`.
 * @param {PagePolicy} policy from `pagePolicy`
 */
export function vercelFile(policy) {
  /** @param {Headers} headers */
  const pairs = (headers) => Object.entries(headers).map(([key, value]) => ({ key, value }))
  const rules = [{ path: '/*', headers: commonHeaders(policy) }, ...PATH_HEADERS]
  const file = {
    headers: rules.map(({ path, headers }) => ({
      source: path.replace('*', '(.*)'),
      headers: pairs(headers),
    })),
    rewrites: ELSEWHERE.map((source) => ({ source, destination: pageFor(source) })),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/**
 * An nginx snippet to include in a `server` block whose root is the client's folder. An `add_header` in a location hides those of the
 * levels above, so each location lists them all.
 * @param {PagePolicy} policy from `pagePolicy`
 */
export function nginxFile(policy) {
  const common = commonHeaders(policy)
  /** @param {string} location @param {Headers} headers @param {string} file @param {string} [type] */
  const block = (location, headers, file, type) =>
    [
      `location ${location} {`,
      // A `types` block in the server would replace nginx's whole list.
      ...(type === undefined ? [] : ['  types { }', `  default_type ${type};`]),
      ...Object.entries({ ...common, ...headers }).map(
        ([name, value]) => `  add_header ${name} "${value}" always;`,
      ),
      `  try_files ${file} =404;`,
      '}',
    ].join('\n')
  const blocks = PATH_HEADERS.map(({ path, headers }) => {
    if (path.endsWith('*')) return block(path.slice(0, -1), headers, '$uri')
    return block(
      `= ${path}`,
      headers,
      path === '/' || ELSEWHERE.includes(path) ? pageFor(path) : '$uri',
      NGINX_TYPES[path],
    )
  })
  const hidden = [...HOST_FILES, LIST].map((name) => `location = /${name} {\n  return 404;\n}`)
  const notFound = `error_page 404 ${NOT_FOUND_PAGE};`
  return `${[notFound, block('/', REVALIDATED, '$uri'), ...blocks, ...hidden].join('\n\n')}\n`
}
