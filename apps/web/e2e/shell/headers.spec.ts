import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagePolicy } from '../../src/server/content-security-policy.js'
import { headersFor } from '../../src/server/headers.js'
import {
  CONNECT,
  DEMO_APP,
  DRAWN,
  inEveryLanguage,
  NOT_FOUND_PAGE,
  PAGE_PATHS,
  PAYMENT,
  pagePath,
  ROUTES,
} from '../../src/server/pages.js'
import { headersFile, nginxFile, redirectsFile, vercelFile } from '../../src/server/static-hosts.js'
import { expect, test } from '../fixtures.ts'

const dist = join(import.meta.dirname, '../../dist')
const page = readFileSync(join(dist, 'index.html'), 'utf8')
const hashes = pagePolicy(page)
const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? 'no script in index.html'

test('every kind of response has all the headers', async ({ request }) => {
  const paths = [
    ...ROUTES,
    CONNECT,
    DEMO_APP,
    ...PAGE_PATHS,
    script,
    '/sw.js',
    '/enclave.wasm',
    '/manifest.webmanifest',
    ...Object.values(PAYMENT),
    '/no/such/page',
  ]
  for (const path of paths) {
    const response = await request.get(path)
    for (const [name, value] of Object.entries(headersFor(path, hashes))) {
      expect(response.headers()[name.toLowerCase()], `${name} of ${path}`).toBe(value)
    }
  }
})

test('each kind of file has the right type, caching, compression and status', async ({ request }) => {
  const wasm = await request.get('/enclave.wasm')
  expect(wasm.headers()['content-type']).toBe('application/wasm')
  const asset = await request.get(script, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(asset.headers()['cache-control']).toContain('immutable')
  expect(asset.headers()['content-encoding']).toBe('br')
  expect((await request.get('/')).headers()['cache-control']).toBe('no-cache')
  expect((await request.get('/assets/none.js')).status()).toBe(404)
  const missing = await request.get('/no/such/page', { headers: { accept: 'text/html' } })
  expect(missing.status()).toBe(404)
  expect(missing.headers()['content-type']).toContain('text/html')
})

test('the files for static hosts match this build', () => {
  const read = (name: string) => readFileSync(join(dist, name), 'utf8')
  expect(hashes).toEqual({
    scripts: [expect.any(String), expect.any(String)],
    styles: [expect.any(String)],
    hosts: [],
  })
  expect(read('_headers')).toBe(headersFile(hashes))
  expect(read('_redirects')).toBe(redirectsFile())
  expect(read('vercel.json')).toBe(vercelFile(hashes))
  expect(read('nginx.conf')).toBe(nginxFile(hashes))
})

test('the not-found page for static hosts says so in both languages, before any script runs', () => {
  const html = readFileSync(join(dist, NOT_FOUND_PAGE), 'utf8')
  expect(html).toContain('There is no page here')
  expect(html).toMatch(/<div lang="de">.*Hier gibt es keine Seite/s)
})

test('all variants of the start page load the same things', () => {
  const parts = PAGE_PATHS.map((file) => {
    const html = readFileSync(join(dist, file), 'utf8').replace(/<script>.*?<\/script>\s*/s, '')
    expect(html).toMatch(/<div id="root"><.+<main /s)
    // Each variant has the same policy and the same scripts. Only the preloads differ.
    return [pagePolicy(html), ...html.matchAll(/<(?:script|link)(?! rel="modulepreload")[^>]*>/g)].join()
  })
  expect(new Set(parts).size).toBe(1)
})

test('only a page drawn for people without a vault has an inline script, which hides it from others', () => {
  const drawn = (['index', ...DRAWN] as const).flatMap(inEveryLanguage)
  for (const file of PAGE_PATHS) {
    const scripts = readFileSync(join(dist, file), 'utf8').match(/<script>.*?<\/script>/gs) ?? []
    expect(scripts.length, file).toBe(drawn.includes(file) ? 1 : 0)
  }
})

test('the page that apps open preloads the scripts that show the request, each pinned', () => {
  const preloadsOf = (file: string) =>
    [...readFileSync(join(dist, file), 'utf8').matchAll(/<link rel="modulepreload"[^>]*>/g)].map(
      ([tag]) => tag,
    )
  const preloads = preloadsOf(pagePath('connect'))
  expect(preloads.some((tag) => tag.includes('/assets/glance-'))).toBe(true)
  for (const tag of preloads) {
    const [, path = '', pin] = / href="([^"]+)" integrity="([^"]+)"/.exec(tag) ?? []
    expect(pin).toBe(
      `sha384-${createHash('sha384')
        .update(readFileSync(join(dist, path)))
        .digest('base64')}`,
    )
  }
  expect(preloadsOf(pagePath('connect', 'de'))).toEqual(preloads)
  expect(preloadsOf(pagePath('index'))).toEqual([])
})

test('every script that the page loads is pinned by its digest', () => {
  const loaded = [
    ...page.matchAll(/<(?:script|link)[^>]*(?:src|href)="\/assets\/[^"]+\.(?:js|css)"[^>]*>/g),
  ].map(([tag]) => tag)
  expect(loaded.length).toBeGreaterThan(0)
  for (const tag of loaded) expect(tag).toMatch(/integrity="sha384-[A-Za-z0-9+/]{64}"/)
  const [, map = '{}'] = /<script type="importmap">(.*?)<\/script>/.exec(page) ?? []
  const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(20)
  expect(Object.keys(JSON.parse(map).integrity).sort()).toEqual(
    scripts.map((name) => `/assets/${name}`).sort(),
  )
})

test('the page is isolated from other origins', async ({ page }) => {
  await page.goto('/')
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
})

test('a browser finds the payment method and its handler from the method’s URL alone', async ({
  request,
}) => {
  const follow = async (path: string) => {
    const response = await request.get(path)
    expect(response.status(), path).toBe(200)
    expect(response.headers()['cross-origin-resource-policy'], path).toBe('cross-origin')
    return response
  }
  const { link = '' } = (await request.head('/payment')).headers()
  const [, manifest = ''] = /^<([^>]+)>; rel=payment-method-manifest$/.exec(link) ?? []
  const [app] = (await (await follow(manifest)).json()).default_applications
  const { name, icons, serviceworker } = await (await follow(app)).json()
  expect(name).toBe('Keyhole')
  expect(serviceworker).toEqual({ src: '/sw.js', scope: '/' })
  await follow(icons[0].src)
})
