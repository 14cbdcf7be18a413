import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from './app.js'
import { pagePolicy } from './content-security-policy.js'
import { headersFor } from './headers.js'
import { HEAD, page, writePages } from './test/build-pages.ts'

const SCRIPT = 'export const one = 1\n'.repeat(100)
const folder = mkdtempSync(join(tmpdir(), 'keyhole-server-'))
let server: ReturnType<typeof createServer>
let port = 0

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writePages(folder)
  writeFileSync(join(folder, 'enclave.wasm'), '\0asm')
  writeFileSync(join(folder, 'assets/a-1.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'assets/a-1.js.gz'), gzipSync(SCRIPT))
  server = createServer(createApp(folder))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) port = address.port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

interface Answer {
  status: number | undefined
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Sends a request as it is: nothing follows redirects, decodes or normalises. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    request.on('error', reject)
    request.end()
  })
}

const asPage = { accept: 'text/html,application/xhtml+xml' }

test('every answer has every header, even a refusal', async () => {
  for (const path of [
    '/',
    '/payment',
    '/connect',
    '/demo-app',
    '/assets/a-1.js',
    '/enclave.wasm',
    '/none',
    '/%E0%A4%A',
  ]) {
    const { headers, status } = await ask(path)
    const expected = headersFor(path, pagePolicy(HEAD))
    for (const [name, value] of Object.entries(expected)) {
      expect(headers[name.toLowerCase()], `${name} of ${path} (${status})`).toBe(value)
    }
  }
})

test.each([
  ['br', 'br, gzip', 'br'],
  ['gzip', 'gzip', 'gzip'],
  ['nothing', 'identity', undefined],
])('sends the script compressed with %s', async (_name, accepted, encoding) => {
  const { headers, status } = await ask('/assets/a-1.js', { 'accept-encoding': accepted })
  expect(status).toBe(200)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers['content-type']).toMatch(/^text\/javascript/)
  if (encoding) expect(headers.vary).toBe('Accept-Encoding')
})

test('the wasm has its own type', async () => {
  expect((await ask('/enclave.wasm')).headers['content-type']).toBe('application/wasm')
})

test('an unknown asset is not found, and is not cached for a year', async () => {
  const { status, headers } = await ask('/assets/none-1.js', asPage)
  expect(status).toBe(404)
  expect(headers['cache-control']).toBe('no-cache')
  expect(headers['content-type']).toMatch(/^text\/plain/)
})

test('an unknown page is the whole frame with status 404, whatever the browser has cached', async () => {
  const first = await ask('/no/such/page', asPage)
  expect(first.status).toBe(404)
  expect(first.body.toString()).toBe(page('frame'))
  const again = await ask('/no/such/page', {
    ...asPage,
    'if-none-match': String(first.headers.etag),
    range: 'bytes=0-3',
  })
  expect(again.status).toBe(404)
  expect(again.body.toString()).toBe(page('frame'))
})

test('each address starts with its own page, in the first language of the request, and with the frame if it asks for more', async () => {
  const begins = async (path: string, languages?: string) => {
    const { body, headers } = await ask(
      path,
      languages === undefined ? asPage : { ...asPage, 'accept-language': languages },
    )
    expect(headers.vary).toContain('Accept-Language')
    return body.toString()
  }
  expect(await begins('/')).toBe(page('index'))
  expect(await begins('/', 'de-AT,de;q=0.9,en;q=0.8')).toBe(page('index.de'))
  expect(await begins('/', 'tlh,DE;q=0.8')).toBe(page('index.de'))
  expect(await begins('/', 'en-GB,de;q=0.8')).toBe(page('index'))
  expect(await begins('/', 'den,tlh')).toBe(page('index'))
  expect(await begins('/search')).toBe(page('search'))
  expect(await begins('/search', 'de')).toBe(page('search.de'))
  expect(await begins('/search?q=notes')).toBe(page('frame'))
  expect(await begins('/identity?tab=grants', 'de')).toBe(page('frame.de'))
  expect(await begins('/?activity=x')).toBe(page('index'))
  expect(await begins('/connect')).toBe(page('connect'))
  expect(await begins('/connect', 'de')).toBe(page('connect.de'))
  expect(await begins('/demo-app')).toBe(page('demo-app'))
  expect(await begins('/demo-app', 'de')).toBe(page('demo-app.de'))
})

test('inline content of a page is allowed only by its hash', async () => {
  const policy = String((await ask('/', asPage)).headers['content-security-policy'])
  expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-[\w+/=]+';/)
  expect(policy).toMatch(/style-src 'self' 'sha256-[\w+/=]+';/)
  expect(policy).not.toContain('unsafe-inline')
})

test('a known route is "not modified" for a browser that has it', async () => {
  const { headers } = await ask('/search', asPage)
  expect((await ask('/search', { 'if-none-match': String(headers.etag) })).status).toBe(304)
})

test('answers HEAD without a body, and refuses writes', async () => {
  const head = await ask('/payment', {}, 'HEAD')
  expect(head.status).toBe(200)
  expect(head.body).toHaveLength(0)
  const post = await ask('/', {}, 'POST')
  expect(post.status).toBe(405)
  expect(post.headers.allow).toBe('GET, HEAD')
})

test.each([
  '/../app.js',
  '/..%2f..%2fpackage.json',
  '/assets/..%2f..%2f..%2fetc/passwd',
  '//etc/passwd',
  '/%00',
])('serves nothing outside its folder: %s', async (path) => {
  const { status } = await ask(path)
  expect([400, 404]).toContain(status)
})
