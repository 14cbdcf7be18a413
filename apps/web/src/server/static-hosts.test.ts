import { expect, test } from 'vitest'
import { commonHeaders, headersFor, matches, PATH_HEADERS } from './headers.js'
import { DRAWN, PAYMENT, ROUTES } from './pages.js'
import { headersFile, nginxFile, redirectsFile, vercelFile } from './static-hosts.js'

const hashes = {
  hosts: [],
  scripts: ['sha256-kyQ3y1EzTUu6RYyVRE5Dz6kYXGDUQ0AlIBRyUiF5VHU='],
  styles: ['sha256-5VHUkyQ3y1EzTUu6RYyVRE5Dz6kYXGDUQ0AlIBRyUiE='],
}
const PATHS = [
  ...ROUTES,
  '/index.html',
  '/index.de.html',
  '/frame.html',
  '/frame.de.html',
  '/connect',
  '/connect.html',
  '/connect.de.html',
  '/demo-app',
  '/demo-app.html',
  '/demo-app.de.html',
  ...DRAWN.flatMap((name) => [`/${name}.html`, `/${name}.de.html`]),
  '/404.html',
  '/sw.js',
  '/enclave.wasm',
  '/enclave-devices.wasm',
  '/manifest.webmanifest',
  ...Object.values(PAYMENT).filter((path) => !ROUTES.includes(path)),
  '/icons/keyhole.svg',
  '/assets/index-0a1b2c3d.js',
]

interface Rule {
  path: string
  headers: [name: string, value: string][]
}

/** What a host sends that adds the headers of every matching rule. The same name twice is a mistake. */
function sent(rules: Rule[], pathname: string): Record<string, string> {
  const headers = rules.filter(({ path }) => matches(path, pathname)).flatMap((rule) => rule.headers)
  expect(new Set(headers.map(([name]) => name)).size, `names of ${pathname}`).toBe(headers.length)
  return Object.fromEntries(headers)
}

function readHeadersFile(text: string): Rule[] {
  return text
    .trim()
    .split('\n\n')
    .map((block) => {
      const [path = '', ...lines] = block.split('\n')
      const headers = lines.map((line): [string, string] => {
        const [, name = '', value = ''] = /^ {2}([\w-]+): (.+)$/.exec(line) ?? []
        return [name, value]
      })
      return { path, headers }
    })
}

function readVercelFile(text: string): Rule[] {
  const file: { headers: { source: string; headers: { key: string; value: string }[] }[] } = JSON.parse(text)
  return file.headers.map(({ source, headers }) => ({
    path: source.replace('(.*)', '*'),
    headers: headers.map(({ key, value }) => [key, value]),
  }))
}

/** In nginx a single location answers: the exact one, otherwise the longest prefix. */
function sentByNginx(text: string, pathname: string): Record<string, string> {
  const locations = [...text.matchAll(/location (= )?(\S+) \{([\s\S]*?)\n\}/g)].map(
    ([, exact, path = '', body = '']) => ({ exact: exact !== undefined, path, body }),
  )
  const found =
    locations.find(({ exact, path }) => exact && path === pathname) ??
    locations
      .filter(({ exact, path }) => !exact && pathname.startsWith(path))
      .sort((a, b) => b.path.length - a.path.length)[0]
  const adds = [...(found?.body ?? '').matchAll(/add_header (\S+) "([^"]*)" always;/g)]
  return Object.fromEntries(adds.map(([, name, value]) => [name, value]))
}

test.each(PATHS)('every static host sends the same headers for %s as our server', (pathname) => {
  const ours = headersFor(pathname, hashes)
  expect(sent(readHeadersFile(headersFile(hashes)), pathname)).toEqual(ours)
  expect(sent(readVercelFile(vercelFile(hashes)), pathname)).toEqual(ours)
  expect(sentByNginx(nginxFile(hashes), pathname)).toEqual(ours)
})

test('no path matches two sets of headers', () => {
  for (const pathname of PATHS) {
    expect(PATH_HEADERS.filter(({ path }) => matches(path, pathname))).toHaveLength(1)
  }
})

test('only files that lead to the payment method may be read from another origin', () => {
  const open = PATHS.filter((path) => headersFor(path)['Cross-Origin-Resource-Policy'] !== 'same-origin')
  expect(open).toEqual(['/payment', '/payment-manifest.json', '/payment.webmanifest', '/payment-icon.png'])
  expect(headersFor('/payment').Link).toBe('</payment-manifest.json>; rel=payment-method-manifest')
})

test('only the page that apps open keeps its opener', () => {
  const by = (policy: string) =>
    PATHS.filter((path) => headersFor(path)['Cross-Origin-Opener-Policy'] === policy)
  expect(by('unsafe-none')).toEqual(['/connect', '/connect.html', '/connect.de.html'])
  // It keeps the windows that it opens, but no opener with another policy.
  const app = ['/demo-app', '/demo-app.html', '/demo-app.de.html']
  expect(by('same-origin-allow-popups')).toEqual(app)
  expect(by('same-origin')).toHaveLength(PATHS.length - 6)
})

test('the policy allows no other origin, no inline script, no eval and no framing', () => {
  const policy = commonHeaders(hashes)['Content-Security-Policy'] ?? ''
  expect(policy.startsWith("default-src 'none'; ")).toBe(true)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain(`script-src 'self' 'wasm-unsafe-eval' '${hashes.scripts[0]}'`)
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|unsafe-hashes|https?:|\*/)
})

test('each route is rewritten to its own page, as are the connect window and the demo’s app, and nothing else is', () => {
  const pages = [
    ...ROUTES.filter((route) => route !== '/').map((route) => [route, `${route}.html`]),
    ['/connect', '/connect.html'],
    ['/demo-app', '/demo-app.html'],
  ]
  expect(redirectsFile().trim().split('\n')).toEqual([
    ...pages.map(([from, to]) => `${from} ${to} 200`),
    '/vercel.json /404.html 404!',
    '/nginx.conf /404.html 404!',
  ])
  const { rewrites } = JSON.parse(vercelFile(hashes))
  expect(rewrites).toEqual(pages.map(([source, destination]) => ({ source, destination })))
})

test('nginx sends the not-found page for missing files, and hides the files that configure hosts', () => {
  const text = nginxFile(hashes)
  expect(text).toMatch(/^error_page 404 \/404\.html;/)
  for (const path of ['/_headers', '/_redirects', '/vercel.json', '/nginx.conf', '/.build.json'])
    expect(text).toContain(`location = ${path} {\n  return 404;\n}`)
})
