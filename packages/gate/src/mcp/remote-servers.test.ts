// MCP servers over HTTP behind the gate: an official one, and some that do what they shouldn't.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { codeOf, connect, holderWith, open, receipts, SECRET, textOf } from '../test/parts.ts'

/** The official server that has one of everything. */
async function everything(port = 0): Promise<{ url: string; stop: () => Promise<void> }> {
  const taken = port || (await freePort())
  const program = join(
    dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
    'dist/index.js',
  )
  const child = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { ...process.env, PORT: String(taken) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(stop)
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => said, { timeout: 20_000 }).toContain('listening on port')
  return { url: `http://127.0.0.1:${taken}/mcp`, stop }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

type Json = Readonly<Record<string, unknown>>

interface Served {
  readonly url: string
  readonly requests: { readonly method: string; readonly url: string; readonly headers: Json; body: string }[]
}

const TOOL = { name: 'echo', description: 'Echoes', inputSchema: { type: 'object', properties: { how: {} } } }

/** A server of 2025-11-25 that answers calls as it is told to. */
async function serve(
  answerCall: (request: IncomingMessage, response: ServerResponse, id: unknown) => void,
  onGet: (response: ServerResponse) => void = (response) => void response.writeHead(405).end(),
): Promise<Served> {
  const requests: Served['requests'] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const parts: Buffer[] = []
    for await (const part of request) parts.push(Buffer.from(part))
    const body = Buffer.concat(parts).toString('utf8')
    requests.push({ method, url, headers, body })
    if (method === 'GET') return onGet(response)
    if (method !== 'POST') return void response.writeHead(405).end()
    const { id, method: called } = JSON.parse(body)
    const result = (value: object) => {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }))
    }
    if (called === 'initialize')
      result({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      })
    else if (called === 'tools/list') result({ tools: [TOOL] })
    else if (called === 'tools/call') answerCall(request, response, id)
    else if (id === undefined) response.writeHead(202).end()
    else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }),
      )
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, requests }
}

const textAnswer = (id: unknown, text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
const echoHeaders = (request: IncomingMessage, response: ServerResponse, id: unknown) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(textAnswer(id, `${request.url} ${JSON.stringify(request.headers)}`))
}
const callsOf = ({ requests }: Served) => requests.filter(({ body }) => body.includes('"tools/call"'))
const config = ({ url }: { readonly url: string }, more: object = {}) => ({
  far: { url, private: true, paths: ['path'], ...more },
})
const call = { name: 'echo', arguments: { how: 'x' } }

it.each(['legacy', 'modern'] as const)('serves a %s client with the official server', async (era) => {
  const opened = await open(config(await everything(), { paths: [] }))
  const client = await connect(opened, 'far', await holderWith({ pol: [['==', '.name', 'echo']] }), { era })
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'keyhole_ask'])
  expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'hello' } }))).toContain('hello')
  expect(codeOf(await client.callTool({ name: 'get-env', arguments: {} }))).toBe('MatchError')
  expect(await receipts(opened)).toMatchObject([{ server: 'far', name: 'echo', outcome: 'ok' }])
})

it('begins a new session after the server was started again, and repeats no call', async () => {
  const first = await everything()
  const opened = await open(config(first, { paths: [] }))
  const client = await connect(opened, 'far', await holderWith({}))
  const echo = () => client.callTool({ name: 'echo', arguments: { message: 'hello' } })
  expect(textOf(await echo())).toContain('hello')
  await first.stop()
  expect(codeOf(await echo())).toBe('ServerFailed')
  await everything(Number(new URL(first.url).port))
  await expect.poll(async () => codeOf(await echo()), { timeout: 10_000 }).toBeUndefined()
})

describe('credentials', () => {
  it.each([
    ['header', { header: 'X-Api-Key', prefix: '', secret: 'env:TOKEN' }],
    ['bearer', { header: 'Authorization', secret: 'env:TOKEN' }],
    ['basic', { user: 'me', secret: 'env:TOKEN' }],
    ['query', { query: 'key', secret: 'env:TOKEN' }],
  ])('go with each request, and come out with no answer: %s', async (_name, auth) => {
    const api = await serve(echoHeaders)
    const opened = await open(config(api, { auth, headers: { 'X-Team': 'a' } }))
    const client = await connect(opened, 'far', await holderWith({}))
    const said = textOf(await client.callTool(call))
    const basic = Buffer.from(`me:${SECRET}`).toString('base64')
    for (const { url, headers } of api.requests.filter(({ method }) => method === 'POST')) {
      expect(url + JSON.stringify(headers)).toContain('user' in auth ? basic : SECRET)
      expect(headers['x-team']).toBe('a')
    }
    for (const each of [said, JSON.stringify([opened.errors.map(String), await receipts(opened)])]) {
      expect(each).not.toContain(SECRET)
      expect(each).not.toContain(basic)
    }
    expect(said).toContain('[credential removed]')
  })

  it('are cut out of errors too', async () => {
    const api = await serve((_request, response) => response.writeHead(500).end(`key ${SECRET}`))
    const opened = await open(config(api, { auth: { header: 'X-Key', secret: 'env:TOKEN' } }))
    const client = await connect(opened, 'far', await holderWith({}))
    const answer = await client.callTool(call)
    expect(codeOf(answer)).toBe('ServerFailed')
    expect(JSON.stringify(answer)).not.toContain(SECRET)
  })
})

describe('a server', () => {
  it.each(['other origin', 'other path', 'internal'])('redirects no call: %s', async (kind) => {
    const other = await serve(echoHeaders)
    const api = await serve((_request, response) => {
      const place = { 'other origin': other.url, 'other path': '/other', internal: 'http://169.254.169.254/' }
      response.writeHead(307, { location: place[kind as keyof typeof place] }).end()
    })
    const client = await connect(await open(config(api)), 'far', await holderWith({}))
    expect(codeOf(await client.callTool(call))).toBe('ServerFailed')
    expect(other.requests).toEqual([])
    expect(callsOf(api)).toHaveLength(1)
    expect(api.requests.map(({ url }) => url)).not.toContain('/other')
  })

  it.each([
    'http://127.0.0.1:PORT/mcp',
    'http://localhost:PORT/mcp',
    'http://[::1]:PORT/mcp',
    'http://0x7f000001:PORT/mcp',
    'http://[::ffff:127.0.0.1]:PORT/mcp',
  ])('on this machine is not reached unless that was configured: %s', async (url) => {
    const api = await serve(echoHeaders)
    const place = { url: url.replace('PORT', new URL(api.url).port) }
    const { gate } = await open(config(place, { private: false }))
    await expect(gate.servers.get('far')?.kinds()).rejects.toMatchObject({ code: 'SERVER_FAILED' })
    expect(api.requests).toEqual([])
  })

  const json = { 'content-type': 'application/json' }
  const events = { 'content-type': 'text/event-stream' }
  it.each<[string, (response: ServerResponse, id: unknown) => void]>([
    ['too long', (response, id) => response.writeHead(200, json).end(textAnswer(id, 'x'.repeat(90_000)))],
    [
      'too long, in events',
      (response) => {
        response.writeHead(200, events)
        for (let part = 0; part < 90; part += 1) response.write(`: ${'x'.repeat(1_000)}\n\n`)
      },
    ],
    [
      'cut off',
      (response) => response.writeHead(200, { ...json, 'content-length': '500' }).end('{"jsonrpc"'),
    ],
    [
      'packed',
      (response, id) =>
        response
          .writeHead(200, { ...json, 'content-encoding': 'gzip' })
          .end(gzipSync(textAnswer(id, 'hello'))),
    ],
    ['no JSON', (response) => response.writeHead(200, json).end('hello')],
    ['never', () => {}],
    [
      'of another protocol',
      (response) => response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end(),
    ],
    ['a reset', (response) => response.destroy()],
  ])('gives an answer that is refused: %s', async (_name, answer) => {
    const api = await serve((_request, response, id) => answer(response, id))
    const opened = await open(config(api, { timeout: 2, longestAnswer: 2_000 }))
    const client = await connect(opened, 'far', await holderWith({}))
    expect(codeOf(await client.callTool(call))).toBe('ServerFailed')
    expect(await receipts(opened)).toMatchObject([{ outcome: 'ServerFailed' }])
  })

  it('can not have the gate connect again without end', async () => {
    let opened = 0
    const api = await serve(echoHeaders, (response) => {
      opened += 1
      response.writeHead(200, events).end('retry: 0\nid: 1\n\n')
    })
    const client = await connect(await open(config(api)), 'far', await holderWith({}))
    await client.callTool(call)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(opened).toBeLessThanOrEqual(3)
  })
})
