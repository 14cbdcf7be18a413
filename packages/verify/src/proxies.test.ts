// The real nginx and Caddy in front of a service that doesn't know about grants. Skipped without them; fails in CI
// (CONTRIBUTING.md). No package has Traefik: there is a double, which follows its documentation.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { forwardAuth } from './forward-auth.ts'
import { SERVER_OPTIONS } from './node.ts'
import { callText, closeSharedEnclave, friend, makeVerifier, owner } from './test/calls.ts'
import { mustBeThere } from './test/programs.ts'

const PATHS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']

interface Ports {
  readonly proxy: number
  readonly auth: number
  readonly service: number
}

interface Proxy {
  readonly program: string
  /** Writes its configuration: the README's, with these ports. @returns its arguments */
  configure(folder: string, ports: Ports, snippet: string): Promise<string[]>
  /** The language of its snippet in the README. */
  readonly language: string
  /** Whether it is written in this repository. */
  readonly isDouble?: boolean
}

const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: 'nginx',
    language: 'nginx',
    async configure(folder, ports, snippet) {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const text = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${ports.proxy};
    ${withPorts(snippet, ports)}
  }
}`
      await writeFile(join(folder, 'nginx.conf'), text)
      return ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'log')]
    },
  },
  Caddy: {
    program: 'caddy',
    language: 'caddy',
    async configure(folder, ports, snippet) {
      const site = withPorts(snippet, ports).replace('notes.example', `http://127.0.0.1:${ports.proxy}`)
      const text = `{
  admin off
  auto_https off
}
${site}`
      await writeFile(join(folder, 'Caddyfile'), text)
      return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
    },
  },
  "Traefik's documentation": {
    program: process.execPath,
    isDouble: true,
    language: 'yaml',
    async configure(_folder, ports, snippet) {
      const double = fileURLToPath(new URL('./test/traefik-double.mjs', import.meta.url))
      return [double, String(ports.proxy), withPorts(snippet, ports)]
    },
  },
}

const withPorts = (snippet: string, { auth, service }: Ports) =>
  snippet
    .replaceAll('127.0.0.1:4291', `127.0.0.1:${auth}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${service}`)

const isThere = (program: string) =>
  PATHS.some(
    (folder) => spawnSync(join(folder, program), [program === 'nginx' ? '-v' : 'version']).status === 0,
  )

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends a request with exactly this target: `fetch` would normalize it. */
async function send(
  port: number,
  path: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
  body = '',
): Promise<Answer> {
  const sent = httpRequest({ host: '127.0.0.1', port, path, headers, method, agent: false }).end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const part of response) text += part
  return { status: response.statusCode, headers: response.headers, body: text }
}

/** @param limits of the grant, besides its path */
const call = (path: string, limits: readonly unknown[] = []) => {
  const args = new Map<string, unknown>([
    ['service', 'notes'],
    ['path', path],
  ])
  const grant = { cmd: '/http', pol: [['like', '.path', '/notes/*'], ...limits] }
  return { authorization: `Bearer ${callText({ cmd: '/http/get', args: args as never }, grant as never)}` }
}

afterAll(closeSharedEnclave)

describe.each(Object.entries(PROXIES))('%s', (_name, { program, language, configure, isDouble = false }) => {
  const exists = isDouble || isThere(program)

  it.runIf(!isDouble && mustBeThere(program))('is installed (CONTRIBUTING.md)', () => {
    expect(exists).toBe(true)
  })

  describe.skipIf(!exists)('asks before it passes on a request', () => {
    let folder: string
    let proxy: ChildProcess
    let ports: Ports
    /** Requests that reached the service behind the proxy. */
    const reached: { url: string | undefined; caller: unknown[]; authorization: string | undefined }[] = []
    const servers: ReturnType<typeof createServer>[] = []

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'keyhole-proxy-'))
      const verifier = await makeVerifier()
      const listener = getRequestListener(forwardAuth(verifier, { service: 'notes', onError: () => {} }))
      const auth = createServer(SERVER_OPTIONS, listener)
      const service = createServer((request, response) => {
        reached.push({
          url: request.url,
          caller: ['subject', 'issuer', 'command', 'invocation'].map(
            (name) => request.headers[`x-keyhole-${name}`],
          ),
          authorization: request.headers.authorization,
        })
        response.end('a note')
      })
      servers.push(auth, service)
      for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
      const [authPort = 0, servicePort = 0] = servers.map((server) => (server.address() as AddressInfo).port)
      ports = { proxy: await freePort(), auth: authPort, service: servicePort }
      const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
      const [, snippet] = new RegExp(`^\`\`\`${language}\n([\\s\\S]+?)^\`\`\``, 'm').exec(readme) ?? []
      const args = await configure(folder, ports, snippet ?? '')
      const path = PATHS.join(delimiter)
      proxy = spawn(program, args, {
        stdio: 'ignore',
        env: { ...process.env, PATH: path, HOME: folder, XDG_DATA_HOME: folder },
      })
      await vi.waitFor(() => send(ports.proxy, '/'), { timeout: 20_000 })
      reached.length = 0
    })
    afterAll(async () => {
      if (proxy && proxy.exitCode === null) {
        const exited = once(proxy, 'exit')
        proxy.kill('SIGKILL')
        await exited
      }
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
      await rm(folder, { recursive: true, force: true })
    })

    it('passes on an authorized one once, with the caller and without the token', async () => {
      const headers = call('/notes/a b')
      expect(await send(ports.proxy, '/notes/a%20b', headers)).toMatchObject({ status: 200, body: 'a note' })
      expect((await send(ports.proxy, '/notes/a%20b', headers)).status).toBe(401)
      expect(reached.splice(0)).toEqual([
        {
          url: '/notes/a%20b',
          caller: [owner.did, friend.did, '/http/get', expect.stringMatching(/^bafy/)],
          authorization: undefined,
        },
      ])
    })

    it('passes on nothing with headers that say who calls, or what', async () => {
      for (const name of ['Issuer', 'Subject', 'Command', 'Invocation']) {
        const headers = { ...call('/notes/a b'), [`X-Keyhole-${name}`]: 'did:key:forged' }
        expect((await send(ports.proxy, '/notes/a%20b', headers)).status).toBe(403)
      }
      expect(reached.splice(0)).toEqual([])
      // nginx drops a header with `_`. Other proxies pass it on.
      const headers = { ...call('/notes/a b'), X_Keyhole_Issuer: 'did:key:forged' }
      const { status } = await send(ports.proxy, '/notes/a%20b', headers)
      expect(status).toBe(program === 'nginx' ? 200 : 403)
      expect(JSON.stringify(reached.splice(0))).not.toContain('forged')
    })

    it('passes on nothing without a token, and says what to ask for', async () => {
      const answer = await send(ports.proxy, '/notes/a')
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
      const ready = String(answer.headers['x-keyhole-request'])
      expect(JSON.parse(Buffer.from(ready, 'base64url').toString())).toMatchObject({
        subject: owner.did,
        request: { command: '/http/get', policy: [['==', '.', { service: 'notes', path: '/notes/a' }]] },
      })
      expect(reached.splice(0)).toEqual([])
    })

    it.each([
      ['/notes/a', call('/notes/b')],
      ['/notes/a?x=1', call('/notes/a')],
      ['/secret', call('/secret')],
      ['/notes/../secret', call('/notes/../secret')],
      ['/notes/%2e%2e/secret', call('/notes/../secret')],
      ['/notes/..%2fsecret', call('/notes/../secret')],
      ['/notes/%252e%252e/secret', call('/notes/%2e%2e/secret')],
      ['/notes//../../secret', call('/notes//../../secret')],
      ['/notes/..;/secret', call('/notes/..;/secret')],
      ['/notes/a%00', call('/notes/a\0')],
      ['/notes/a\\..\\b', call('/notes/a\\..\\b')],
      ['http://other/notes/a', call('/notes/b')],
      ['/notes/a', { ...call('/notes/b'), 'X-Forwarded-Uri': '/notes/b' }],
      ['/notes/a', { ...call('/notes/b'), 'X-Original-URL': '/notes/b' }],
      ['/notes/a', { ...call('/notes/a'), 'X-HTTP-Method-Override': 'DELETE' }],
      ['/notes/a', { ...call('/notes/b'), 'X-Forwarded-Method': 'GET' }],
      ['/notes/a', { authorization: 'Bearer C' }],
      ['/notes/a', { authorization: `Bearer ${'C'.repeat(60_000)}` }],
    ])('passes on nothing that was not signed, or could be read in two ways (%#)', async (path, headers) => {
      // Caddy itself answers an unknown host, with 200 and an empty body.
      const { body } = await send(ports.proxy, path, headers as unknown as Record<string, string>)
      expect(body).not.toContain('a note')
      expect(reached.splice(0)).toEqual([])
    })

    it('passes on no other method', async () => {
      const answer = await send(ports.proxy, '/notes/a', call('/notes/a'), 'DELETE')
      expect(answer.status).toBe(403)
      expect(reached.splice(0)).toEqual([])
    })

    it('passes on a long chain', async () => {
      const headers = call('/notes/a', [['!=', '.path', 'x'.repeat(20_000)]])
      expect((await send(ports.proxy, '/notes/a', headers)).status).toBe(200)
      expect(reached.splice(0)).toHaveLength(1)
    })

    it('passes on nothing if no one answers it', async () => {
      const [auth] = servers
      auth?.close()
      auth?.closeAllConnections()
      const { status } = await send(ports.proxy, '/notes/a', call('/notes/a'))
      expect(status).toBeGreaterThanOrEqual(500)
      expect(reached.splice(0)).toEqual([])
    })
  })
})
