// `keyhole run` with a gate and an API that are processes of their own, and programs that know nothing of Keyhole.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type Home, home, type Started } from './test/command.ts'
import { grant, KEY, startApi, startGate } from './test/gate.ts'

const service = (url: string, more: object = {}) => ({
  url: `${url}/v1`,
  private: true,
  methods: ['GET', 'POST', 'DELETE'],
  auth: { header: 'Authorization', secret: 'env:API_KEY' },
  ...more,
})

/** A gate before an API that says what reached it. */
async function place(more: Readonly<Record<string, string>> = {}) {
  const api = await startApi(({ url, headers, body }, response) => {
    response.setHeader('content-type', 'application/json')
    response.setHeader('set-cookie', 'a=b')
    response.setHeader('access-control-allow-origin', '*')
    if (url?.startsWith('/v1/projects/7/moved'))
      response.writeHead(302, { location: '/v1/projects/7/notes?page=2' })
    if (url?.startsWith('/v1/projects/7/away')) response.writeHead(302, { location: 'https://evil.example/' })
    response.end(JSON.stringify({ url, body, cookie: headers.cookie ?? null }))
  })
  const at = await home(more)
  const gate = await startGate(at, { notes: service(api.url), 'other-one': service(api.url) })
  await grant(at, '/http', [
    ['==', '.service', 'notes'],
    ['like', '.path', '/projects/7/*'],
  ])
  return { at, gate, api }
}

/** Runs a script of Node under the command. */
const script = (at: Home, gate: { url: string }, text: string, options: readonly string[] = []) =>
  at.run(['run', '--gate', gate.url, ...options, '--', process.execPath, '--input-type=module', '-e', text])

/** Keeps a program running, which has said its environment. */
async function running(
  at: Home,
  gate: { url: string },
): Promise<{ started: Started; base: string; pid: number }> {
  const text = `console.log(JSON.stringify({ base: process.env.KEYHOLE_NOTES_URL, pid: process.pid })); setInterval(() => {}, 1e6)`
  const started = at.start(['run', '--gate', gate.url, '--', process.execPath, '-e', text])
  return { started, ...JSON.parse(await started.line()) }
}

/** Sends what `fetch` would not. */
const send = (url: string, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path, method, headers }, async (response) => {
      let body = ''
      for await (const part of response) body += part
      resolve({ status: response.statusCode, body })
    })
    sent.on('error', reject)
    sent.end()
  })

describe('a program that cannot sign', () => {
  it('calls a service by a base URL, within its grants, and gets no credential', async () => {
    const { at, gate, api } = await place()
    const { code, out } = await script(
      at,
      gate,
      `const base = process.env.KEYHOLE_NOTES_URL
      const headers = { authorization: 'Bearer of-the-program', cookie: 'c=d', 'x-own': '1' }
      const got = await fetch(base + '/projects/7/a%20b?x=1&x=2&y=%C3%A9+z', { headers })
      const [cookie, open] = [got.headers.get('set-cookie'), got.headers.get('access-control-allow-origin')]
      const body = JSON.stringify({ id: 1, list: [{ deep: true }] }).replace('1', '12345678901234567890')
      const json = { 'content-type': 'application/json' }
      const posted = await fetch(base + '/projects/7/new', { method: 'POST', headers: json, body })
      const outside = await fetch(base + '/projects/8/notes')
      console.log(JSON.stringify({ got: await got.json(), cookie, open, posted: await posted.json(), outside: [outside.status, await outside.json()] }))`,
    )
    expect(code).toBe(0)
    const said = JSON.parse(out)
    expect(said).toMatchObject({
      got: { url: '/v1/projects/7/a%20b?x=1&x=2&y=%C3%A9%20z', cookie: null },
      cookie: null,
      open: null,
      // No digit is lost on the way.
      posted: { body: '{"id":12345678901234567890,"list":[{"deep":true}]}' },
    })
    expect(said.outside[0]).toBe(403)
    expect(said.outside[1].link).toContain('https://vault.example/connect#keyhole-request-1.')
    expect(said.outside[1].error.message).toContain(said.outside[1].link)
    expect(api.reached.map(({ headers }) => [headers.authorization, headers['x-own']])).toEqual([
      [`Bearer ${KEY}`, undefined],
      [`Bearer ${KEY}`, undefined],
    ])
    expect(out).not.toContain(KEY)
  })

  it('follows a redirect below the service by another signed call, and no other redirect', async () => {
    const { at, gate, api } = await place()
    const { out } = await script(
      at,
      gate,
      `const base = process.env.KEYHOLE_NOTES_URL
      const moved = await fetch(base + '/projects/7/moved')
      const away = await fetch(base + '/projects/7/away', { redirect: 'manual' })
      console.log(JSON.stringify([(await moved.json()).url, away.status, away.headers.get('location')]))`,
    )
    expect(JSON.parse(out)).toEqual(['/v1/projects/7/notes?page=2', 302, null])
    expect(api.reached.map(({ url }) => url)).toEqual([
      '/v1/projects/7/moved',
      '/v1/projects/7/notes?page=2',
      '/v1/projects/7/away',
    ])
  })

  it('has the addresses in its environment, and no key', async () => {
    const { at, gate } = await place()
    const other = await home()
    const { said } = await other.json(['key', '--new', 'ci.key'])
    const key = (await readFile(join(other.folder, 'ci.key'), 'utf8')).trim()
    expect(said.did).toMatch(/^did:key:/)
    const from = await home({
      ...at.env,
      KEYHOLE_KEY: key,
      KEYHOLE_TOKENS: '',
      KEYHOLE_NATS: 'nats://keeper:hidden@a',
      NO_PROXY: 'intern.example',
    })
    const show = 'console.log(JSON.stringify(process.env))'
    const { code, out, err } = await script(from, gate, show, ['--env', 'API_BASE=notes'])
    expect([code, err]).toEqual([0, ''])
    const env = JSON.parse(out)
    expect(out).not.toContain(key)
    expect(env.KEYHOLE_KEY).toBeUndefined()
    expect(env.KEYHOLE_TOKENS).toBeUndefined()
    expect(out).not.toContain('hidden')
    expect(env.KEYHOLE_NOTES_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/notes$/)
    expect(env.API_BASE).toBe(env.KEYHOLE_NOTES_URL)
    expect(env.KEYHOLE_OTHER_ONE_URL).toMatch(/\/other-one$/)
    // A proxy of the network would see the address.
    expect(env.NO_PROXY).toBe('intern.example,127.0.0.1')
    const one = await script(at, gate, show, ['--service', 'notes'])
    expect(JSON.parse(one.out).KEYHOLE_OTHER_ONE_URL).toBeUndefined()
  })
})

describe('its address', () => {
  it('does nothing for those who reach the port, and for pages', async () => {
    const { at, gate, api } = await place()
    const { started, base } = await running(at, gate)
    const { pathname, host, port } = new URL(base)
    const path = `${pathname}/projects/7/notes`
    const [, secret = ''] = pathname.split('/')
    const guesses = [
      '/',
      '/notes/projects/7/notes',
      `/${'A'.repeat(secret.length)}/notes/projects/7/notes`,
      `/${secret.slice(0, -1)}/notes/projects/7/notes`,
      `/${secret}x/notes/projects/7/notes`,
      `/${secret}/nothing/projects/7/notes`,
      `/${secret}`,
      `//${secret}/notes/projects/7/notes`,
      `http://${host}${path}`,
    ]
    for (const each of guesses) expect((await send(base, each)).status).toBe(404)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: `http://${host}` },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-origin' },
      { host: `evil.example:${port}` },
      { host: `localhost:${port}` },
    ]) {
      expect((await send(base, path, headers)).status).toBe(404)
      expect((await send(base, path, headers, 'POST')).status).toBe(404)
      expect((await send(base, path, headers, 'OPTIONS')).status).toBe(404)
    }
    expect(api.reached).toEqual([])
    expect((await send(base, path)).status).toBe(200)
    started.kill('SIGTERM')
    await started.ended
  })

  it('signs nothing that can be read in two ways, or is no JSON', async () => {
    const { at, gate, api } = await place()
    const { started, base } = await running(at, gate)
    const { pathname } = new URL(base)
    for (const path of [
      '/projects/7/a%2f..%2f..%2f8',
      '/projects/7/../8',
      '/projects/7/%2e%2e/8',
      '/projects/7/%zz',
      '/projects/7/%ff',
      '/projects/7/a%00b',
      '/projects/7/a%252fb',
      '/projects/7//b',
      '/projects/7/a;b',
      '/projects/7/a?x=%zz',
    ])
      expect([path, (await send(base, `${pathname}${path}`)).status]).toEqual([path, 400])
    const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${base}/projects/7/new`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
    expect((await post('{')).status).toBe(400)
    expect((await post(Uint8Array.of(0x22, 0xff, 0x22))).status).toBe(400)
    expect((await post('{"__proto__": {"a": 1}}')).status).toBe(400)
    expect((await post('{"a": 1, "A": 2}')).status).toBe(400)
    // The operator takes no bodies beside a call.
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(413)
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await post(JSON.stringify('x'.repeat(70_000)))).status).toBe(413)
    expect((await send(base, `${pathname}/projects/7/x`, {}, 'OPTIONS')).status).toBe(405)
    expect(api.reached).toEqual([])
    started.kill('SIGTERM')
    await started.ended
  })

  it('sends forms, files and long JSON beside the call, to the byte', async () => {
    const api = await startApi((_, response) => void response.end('{}'))
    const at = await home()
    const uploads = 1_000_000
    const services = {
      notes: service(api.url, { uploads }),
      forms: service(api.url, { uploads, bodies: 'form' }),
    }
    const gate = await startGate(at, services)
    for (const name of Object.keys(services)) await grant(at, '/http', [['==', '.service', name]])
    const { started, base } = await running(at, gate)
    const post = async (body: BodyInit, type?: string, to = base) =>
      (
        await fetch(`${to}/new`, {
          method: 'POST',
          body,
          ...(type && { headers: { 'content-type': type } }),
        })
      ).status
    const file = new FormData()
    file.append('file', new Blob(['x'.repeat(90_000)]), 'a.txt')
    const long = JSON.stringify({ text: 'y'.repeat(90_000) })
    const look = JSON.stringify({ sha256: 'a', length: 1 })
    const forms = base.replace(/notes$/, 'forms')
    expect(await post(new URLSearchParams({ a: '1', b: 'c d' }), undefined, forms)).toBe(200)
    expect(await post(file, undefined, forms)).toBe(200)
    expect(await post(file)).toBe(400)
    expect(await post(long, 'application/json')).toBe(200)
    expect(await post(look, 'application/json')).toBe(200)
    expect(await post('{"a":1}', 'application/json')).toBe(200)
    expect(api.reached.map(({ headers, body }) => [headers['content-type'], body.length])).toEqual([
      ['application/x-www-form-urlencoded;charset=UTF-8', 9],
      [expect.stringMatching(/^multipart\/form-data; boundary=/), expect.any(Number)],
      ['application/json', long.length],
      ['application/json', look.length],
      ['application/json', 7],
    ])
    expect(api.reached[0]?.body).toBe('a=1&b=c+d')
    expect(api.reached[1]?.body).toContain('x'.repeat(90_000))
    expect(api.reached[2]?.body).toBe(long)
    // Longer than the operator takes.
    expect(await post('z'.repeat(1_000_001), 'application/octet-stream')).toBe(413)
    expect(api.reached).toHaveLength(5)
    started.kill('SIGTERM')
    await started.ended
  })

  it('signs JSON as long as its token fits, so that limits reach its fields', async () => {
    const api = await startApi((_, response) => void response.end('{}'))
    const at = await home()
    const uploads = 1_000_000
    const gate = await startGate(at, { notes: service(api.url), other: service(api.url, { uploads }) })
    await grant(at, '/http', [
      ['==', '.service', 'notes'],
      ['==', '.body.to', 'me'],
    ])
    await grant(at, '/http', [['==', '.service', 'other']])
    const { started, base } = await running(at, gate)
    const post = async (body: object, to = base) => {
      const headers = { 'content-type': 'application/json' }
      return await fetch(`${to}/new`, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    const random = (length: number) => randomBytes(length).toString('base64')
    expect((await post({ to: 'me', text: 'x'.repeat(65_000) })).status).toBe(200)
    expect((await post({ to: 'me', text: random(18_000) })).status).toBe(200)
    expect((await post({ to: 'me', text: random(23_000) })).status).toBe(200)
    // What the gate would not take for a body beside the call isn't one.
    expect((await post({ to: 'me', sha256: 'a'.repeat(43), length: 1 })).status).toBe(200)
    expect(api.reached).toHaveLength(4)
    // The token would be too long: the bytes are beside the call.
    const other = base.replace(/notes$/, 'other')
    expect((await post({ to: 'me', text: random(45_000) }, other)).status).toBe(200)
    expect(api.reached).toHaveLength(5)
    // No limit can see into it then.
    const unseen = await post({ to: 'me', text: random(45_000) })
    expect([unseen.status, (await unseen.json()).error.name]).toEqual([403, 'MatchError'])
    expect(api.reached).toHaveLength(5)
    started.kill('SIGTERM')
    await started.ended
  })

  it('says so when the gate is gone, and stays', async () => {
    const { at, gate } = await place()
    const { started, base } = await running(at, gate)
    gate.kill()
    const answer = await vi.waitFor(async () => {
      const tried = await fetch(`${base}/projects/7/notes`)
      expect(tried.status).toBe(502)
      return await tried.json()
    })
    expect(answer.error.name).toBe('GATE')
    started.kill('SIGTERM')
    const { err } = await started.ended
    expect(err).not.toContain(new URL(base).pathname)
  })
})

describe('the program', () => {
  it('is told to end with the command, which ends after it, and nothing listens then', async () => {
    const { at, gate } = await place()
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
    ] as const) {
      const { started, base, pid } = await running(at, gate)
      started.kill(signal)
      expect((await started.ended).code).toBe(code)
      expect(() => process.kill(pid, 0)).toThrow()
      await expect(fetch(base)).rejects.toThrow()
    }
  })

  it('ends the command with its own exit code, and keeps its input and output', async () => {
    const { at, gate } = await place()
    expect((await script(at, gate, 'process.exit(7)')).code).toBe(7)
    const text = 'process.stdin.pipe(process.stdout)'
    const piped = await at.run(['run', '--gate', gate.url, '--', process.execPath, '-e', text], 'as it was')
    expect(piped).toMatchObject({ code: 0, out: 'as it was', err: '' })
  })

  it.each([
    ['127: no such program', 127, ['--', 'keyhole-no-such-program']],
    ['126: a file that is no program', 126, ['--', './plain']],
    ['2: no program', 2, []],
    ['2: a program without --', 2, ['node']],
    ['2: an unknown service', 2, ['--service', 'nothing', '--', 'node']],
    ['2: a variable of an unknown service', 2, ['--env', 'A=nothing', '--', 'node']],
    ['2: a variable that is for the key', 2, ['--env', 'KEYHOLE_KEY=notes', '--', 'node']],
    ['2: a variable of two services', 2, ['--env', 'KEYHOLE_NOTES_URL=other-one', '--', 'node']],
  ])('%s', async (_name, code, args) => {
    const { at, gate } = await place()
    await writeFile(join(at.folder, 'plain'), 'x', { mode: 0o600 })
    expect(await at.run(['run', '--gate', gate.url, ...args])).toMatchObject({ code, out: '' })
  })

  it('is not started without a gate', async () => {
    const at = await home()
    await mkdir(join(at.folder, 'bin'))
    const args = ['--', process.execPath, '-e', 'require("fs").writeFileSync("started", "")']
    expect((await at.run(['run', '--gate', 'http://127.0.0.1:1', ...args])).code).toBe(3)
    expect((await at.run(['run', '--gate', 'http://gate.example', ...args])).code).toBe(3)
    await expect(stat(join(at.folder, 'started'))).rejects.toThrow()
  })
})
