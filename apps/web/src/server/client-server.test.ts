import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeList } from './build.js'
import { createClientServer } from './client-server.js'
import { commonHeaders } from './headers.js'
import { BEGINNINGS } from './pages.js'

const PAGES = BEGINNINGS.flatMap((name) => [name, `${name}.de`])
const HEAD = '<!doctype html><script type="importmap">{"integrity":{}}</script><style>p{color:red}</style>'
const folder = mkdtempSync(join(tmpdir(), 'keyhole-client-server-'))
let server: ReturnType<typeof createClientServer>
let port = 0

/** Writes a build as the bundler does: file by file into the same folder, the list last. */
function writeBuild(name: string, { list = true } = {}): void {
  rmSync(join(folder, '.build.json'), { force: true })
  for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true, force: true })
  mkdirSync(join(folder, 'assets'))
  for (const page of PAGES) writeFileSync(join(folder, `${page}.html`), `${HEAD}<title>${name}</title>`)
  const script = `export const name = '${name}'\n`.repeat(500)
  writeFileSync(join(folder, `assets/a-${name}.js`), script)
  writeFileSync(join(folder, `assets/a-${name}.js.br`), brotliCompressSync(script))
  writeFileSync(join(folder, 'sw.js'), `// ${name}`)
  writeFileSync(join(folder, 'enclave.wasm'), '\0asm')
  for (const host of ['_headers', '_redirects', 'nginx.conf', 'vercel.json'])
    writeFileSync(join(folder, host), 'for a static host')
  if (list) writeList(folder)
}

beforeAll(async () => {
  writeBuild('one')
  server = createClientServer(folder)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) port = address.port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends raw bytes, and returns everything that comes back until the other side ends. */
function sendRaw(bytes: string | Buffer, { end = true } = {}): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes)
      if (end) socket.end()
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    // A client refused while it is still sending may find the connection gone.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRaw(
    [
      `${method} ${path} HTTP/1.1`,
      'Host: keyhole.test',
      'Connection: close',
      ...Object.entries(headers).map((pair) => pair.join(': ')),
      '',
      '',
    ].join('\r\n'),
    { end: false },
  )

function expectSecurityHeaders(answer: string): void {
  const names = answer.split('\r\n\r\n')[0]?.toLowerCase() ?? ''
  for (const name of Object.keys(commonHeaders())) expect(names).toContain(`${name.toLowerCase()}: `)
}

test.each([
  ['backwards', 'bytes=10-5', 416],
  ['past the end', 'bytes=999999-', 416],
  ['of nothing', 'bytes=-0', 416],
  ['without numbers', 'bytes=-', 416],
  ['of letters', 'bytes=a-b', 416],
  ['beyond any number', `bytes=${'9'.repeat(400)}-${'9'.repeat(400)}`, 416],
  ['in the middle', 'bytes=1-2', 206],
  ['of the end', 'bytes=-2', 206],
  ['of the end, and more', 'bytes=-999999', 206],
  ['open', 'bytes=1-', 206],
  ['many', `bytes=${Array.from({ length: 1000 }, (_, n) => `${n}-${n}`).join(',')}`, 200],
  ['of another unit', 'pages=1-2', 200],
])('a range %s is answered', async (_name, range, status) => {
  const answer = await get('/enclave.wasm', { Range: range })
  expect(statusOf(answer)).toBe(status)
  expectSecurityHeaders(answer)
  if (status === 416) expect(answer).toContain('Content-Range: bytes */4')
})

test('a range returns that part, and for another version of the file the whole', async () => {
  const whole = await get('/enclave.wasm')
  const etag = /^etag: (.+)\r$/im.exec(whole)?.[1] ?? ''
  const part = await get('/enclave.wasm', { Range: 'bytes=1-2', 'If-Range': etag })
  expect(part.split('\r\n\r\n')[1]).toBe('as')
  expect(part).toContain('Content-Range: bytes 1-2/4')
  expect(statusOf(await get('/enclave.wasm', { Range: 'bytes=1-2', 'If-Range': '"other"' }))).toBe(200)
  expect(statusOf(await get('/enclave.wasm', { 'If-None-Match': `"x", W/${etag}` }))).toBe(304)
  expect(statusOf(await get('/enclave.wasm', { 'If-Match': '"other"' }))).toBe(412)
  expect(statusOf(await get('/enclave.wasm', { 'If-Match': etag }))).toBe(200)
})

test.each([
  '/_headers',
  '/_redirects',
  '/nginx.conf',
  '/vercel.json',
  '/.build.json',
  '/%5Fheaders',
  '/assets/a-one.js.br',
])('%s is not served', async (path) => {
  const answer = await get(path)
  expect(statusOf(answer)).toBe(404)
  expectSecurityHeaders(answer)
})

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['endless headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}`, 431],
  ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 417],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', 405],
  ['an invalid path', 'GET /%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
  ['all of it', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
])('%s is refused with every header', async (_name, bytes, status) => {
  const answer = await sendRaw(bytes)
  expect(statusOf(answer)).toBe(status)
  expectSecurityHeaders(answer)
})

test('a new build is served once it is complete, and until then the one before', async () => {
  const titleAt = async (path: string) =>
    /<title>(.*)<\/title>/.exec(await get(path, { Accept: 'text/html' }))?.[1]
  expect(await titleAt('/')).toBe('one')
  writeBuild('two', { list: false })
  expect(await titleAt('/')).toBe('one')
  expect(statusOf(await get('/assets/a-two.js'))).toBe(404)
  writeList(folder)
  writeFileSync(join(folder, 'sw.js'), '// cut')
  expect(await titleAt('/'), 'a list that a file does not fit').toBe('one')
  // As an editor or a copy does: a different file under the same name.
  writeFileSync(join(folder, 'sw.next'), '// two')
  renameSync(join(folder, 'sw.next'), join(folder, 'sw.js'))
  await expect.poll(() => titleAt('/search')).toBe('two')
  expect(await titleAt('/')).toBe('two')
  expect(statusOf(await get('/assets/a-two.js'))).toBe(200)
  expect(statusOf(await get('/assets/a-one.js')), 'for a page of before').toBe(200)
  writeBuild('one')
  await expect.poll(() => titleAt('/')).toBe('one')
})

// Reading a pipe waits for someone to write to it. No page may wait for that.
test.skipIf(process.platform === 'win32').each(['sw.js', '.build.json'])(
  'a pipe in place of %s delays no one',
  async (name) => {
    writeBuild('two')
    rmSync(join(folder, name))
    execFileSync('mkfifo', [join(folder, name)])
    const answer = await get('/', { Accept: 'text/html' })
    expect(statusOf(answer)).toBe(200)
    expect(answer).toContain('<title>one</title>')
    writeBuild('one')
  },
)

/** Pseudo-random numbers below `below`, the same in every run (mulberry32). */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A request that is wrong in one or more ways. */
function malformed(random: (below: number) => number): Buffer {
  const pick = <T>(list: readonly [T, ...T[]]): T => list[random(list.length)] ?? list[0]
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => random(256))).toString('latin1')
  const path = () =>
    pick([
      '/',
      '/sw.js',
      '/assets/a-one.js',
      '/enclave.wasm',
      '/%00',
      '/%',
      '/%E0%A4%A',
      '/../../etc/passwd',
      '/..%2f..%2fx',
      '//a/b',
      '*',
      'http://[',
      'http://x/sw.js',
      '/?%',
      '/\\..\\x',
      `/${'a'.repeat(random(20_000))}`,
      `/${noise(random(30))}`,
      '',
      '/_headers',
      '/search/',
      '/payment#x',
    ])
  const header = () =>
    pick([
      `Range: bytes=${pick(['10-5', '-', '-0', '5-', '-5', '0-0,1-1,2-2', '99999999999999999999-', 'x', '0-99999999999999999999', ` ${noise(6)}`])}`,
      `Range: bytes=${'0-1,'.repeat(random(2000))}`,
      `If-None-Match: ${pick(['*', '"', `W/${noise(5)}`, '"a", "b"'])}`,
      `If-Range: ${noise(8)}`,
      'If-Modified-Since: yesterday',
      `Accept-Encoding: ${pick(['br;q=0', 'gzip, br', '*;q=0', ';;;', noise(10)])}`,
      `Accept-Language: ${pick(['de', ',,,;', noise(10)])}`,
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip, chunked, x',
      `Content-Length: ${pick(['5', '-1', '99999999999999999999', 'x'])}`,
      'Connection: upgrade\r\nUpgrade: websocket',
      'Connection: keep-alive',
      'Expect: 100-continue',
      'Expect: x',
      `X-${noise(4)}: ${noise(8)}`,
      `X: ${'x'.repeat(random(40_000))}`,
      'Host: a\r\nHost: b',
      ' folded: x',
      'noColon',
      'Accept: text/html',
      '\0: \0',
    ])
  const method = pick([
    'GET',
    'GET',
    'GET',
    'HEAD',
    'POST',
    'OPTIONS',
    'CONNECT',
    'TRACE',
    'PROPFIND',
    'get',
    'G\0T',
    '',
    noise(5),
  ])
  const version = pick([
    'HTTP/1.1',
    'HTTP/1.1',
    'HTTP/1.1',
    'HTTP/1.0',
    'HTTP/0.9',
    'HTTP/2.0',
    'HTTP/9',
    '',
    'HTP',
  ])
  const end = pick(['\r\n', '\r\n', '\r\n', '\n', '\r'])
  const headers = Array.from({ length: random(6) }, header)
  const text = [
    `${method} ${path()} ${version}`,
    'Host: a',
    ...headers,
    '',
    pick(['', '', '5\r\nabcde\r\n0\r\n\r\n', noise(50)]),
  ].join(end)
  const repeated = random(10) === 0 ? text.repeat(1 + random(5)) : text
  const cut = random(8) === 0 ? repeated.slice(0, random(repeated.length)) : repeated
  return Buffer.from(random(25) === 0 ? noise(random(400)) : cut, 'latin1')
}

test('2,000 malformed requests, while files are removed and replaced, stop nothing and fail nothing', async () => {
  writeBuild('one')
  const random = generator(20_261_123)
  const statuses = new Map<number, number>()
  const changes = [
    () => rmSync(join(folder, 'sw.js'), { force: true }),
    () => rmSync(join(folder, 'assets'), { recursive: true, force: true }),
    () => writeFileSync(join(folder, 'enclave.wasm'), 'cut'),
    () => writeBuild('two', { list: false }),
    () => writeList(folder),
    () => rmSync(folder, { recursive: true, force: true }),
    () => {
      mkdirSync(folder, { recursive: true })
      writeBuild('one')
    },
  ]
  for (let round = 0; round < 100; round++) {
    if (round % 4 === 0) changes[(round / 4) % changes.length]?.()
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendRaw(malformed(random))))
    for (const answer of answers) {
      for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm))
        statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + 1)
    }
  }
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1000)
  expect(statusOf(await get('/', { Accept: 'text/html' }))).toBe(200)
  expect(statusOf(await get('/assets/a-one.js'))).toBe(200)
})

test('a client that stops reading, or disconnects halfway, stops nothing', async () => {
  mkdirSync(folder, { recursive: true })
  writeBuild('one')
  const gone = Array.from({ length: 50 }, () => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /assets/a-one.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20), () => socket.destroy())
    })
    socket.on('error', () => undefined)
    return new Promise((resolve) => socket.on('close', resolve))
  })
  await Promise.all(gone)
  expect(statusOf(await get('/'))).toBe(200)
})

test('the server as it is started survives a range that runs backwards', async () => {
  // A real process: an uncaught exception would end it, and a handler's test would miss that.
  const script = `
    import { createClientServer } from ${JSON.stringify(new URL('./client-server.js', import.meta.url).href)}
    import { get } from 'node:http'
    const server = createClientServer(process.argv[1])
    server.listen(0, '127.0.0.1', () => {
      const ask = (headers, then) => get({ port: server.address().port, path: '/enclave.wasm', headers }, (response) => {
        response.resume().on('end', () => then(response.statusCode))
      })
      ask({ range: 'bytes=10-5' }, (first) => ask({}, (second) => { console.log(first, second); process.exit(0) }))
    })`
  const said = await new Promise<string>((resolve, reject) =>
    execFile(process.execPath, ['--input-type=module', '-e', script, folder], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    ),
  )
  expect(said.trim()).toBe('416 200')
})

const AHEAD = 'GET /sw.js HTTP/1.1\r\nHost: a\r\n\r\n'

test('a few pipelined requests are all answered, in order', async () => {
  const all = await sendRaw(AHEAD.repeat(20))
  expect(all.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(20)
})

test('a client that pipelines a thousand requests and reads no answers is dropped, and its memory freed', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const gone: Promise<void>[] = []
  const note = (socket: Socket) => gone.push(new Promise((resolve) => socket.once('close', () => resolve())))
  server.on('connection', note)
  // More than the buffers between the two can take.
  const script = readdirSync(join(folder, 'assets')).find((name) => name.endsWith('.js'))
  const ahead = AHEAD.replace('/sw.js', `/assets/${script}`).repeat(1_000)
  const clients = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(ahead))
    return socket.pause().on('error', () => undefined)
  })
  await expect.poll(() => gone.length, { timeout: 20_000 }).toBe(clients.length)
  server.off('connection', note)
  await Promise.all(gone)
  for (const client of clients) client.destroy()
  expect(await sendRaw(AHEAD)).toContain('200 OK')
  // No timer is left waiting for answers that no one will read.
  await expect.poll(timers, { timeout: 20_000 }).toBeLessThan(before + 10)
})
