// A gate as a process of its own: the agent's side reaches it by HTTP.
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { Agent, createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import type { Holder } from '@keyhole/holder'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { container, delegation } from '../../../enclave/src/test/naive-tokens.ts'
import { listen, openRemoteServer, readRemoteGate } from '../index.ts'
import { agentServer } from '../mcp/agent-server.ts'
import { signCalls } from '../mcp/signed-calls.ts'
import {
  codeOf,
  connectTo,
  everythingServer,
  filesServer,
  folder,
  holderWith,
  open,
  owner,
  receipts,
  stranger,
  textOf,
  VAULT,
} from '../test/parts.ts'
import { signedCall } from '../test/signed.ts'
import { requestTimeout } from './listen.ts'

async function serve(servers: Record<string, object>) {
  const opened = await open(servers)
  const listener = await listen({ gate: opened.gate, vault: VAULT, owners: [owner.did], port: 0 })
  onTestFinished(() => listener.close())
  return { opened, url: listener.url }
}

/** A gate in front of an HTTP API, the service `api`. */
async function openInFrontOf(api: Server) {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void api.close())
  const { port } = api.address() as AddressInfo
  return await open({}, undefined, {
    services: { api: { url: `http://127.0.0.1:${port}`, private: true } },
  })
}

it('describes a tool that is asked for, to an agent elsewhere whose grants reach that tool', async () => {
  const home = await folder()
  const { opened, url } = await serve({ files: filesServer(home) })
  const remote = await openRemoteServer(url, await readRemoteGate(url), 'files')
  onTestFinished(() => remote.close())
  const pol = [
    ['==', '.name', 'read_text_file'],
    ['like', '.arguments.path', `${home}/notes/*`],
  ] as never
  const serviceFor = async (holder: Holder, name: string) => {
    const args = { name, arguments: { path: `${home}/other.txt` } }
    const { link } = await signCalls(remote, holder).request('/mcp/tools/call', args)
    const [, request = ''] = link.split('/connect#keyhole-request-1.')
    return JSON.parse(Buffer.from(request, 'base64url').toString()).service
  }
  const reader = await holderWith({ pol })
  const service = await serviceFor(reader, 'read_text_file')
  expect(service).toBe(
    await opened.gate.servers.get('files')?.describe?.('/mcp/tools/call', { name: 'read_text_file' }, []),
  )
  expect(service).toMatch(/^keyhole-service-1\./)
  expect(await serviceFor(reader, 'write_file')).toBeUndefined()
  expect(await serviceFor(await holderWith(), 'read_text_file')).toBeUndefined()
  // What an agent shows may be anything.
  const own = delegation(stranger, stranger, { cmd: '/mcp/tools/call', sub: stranger.did })
  for (const grants of [[container([own])], ['nonsense'], []]) {
    const described = remote.describe?.('/mcp/tools/call', { name: 'read_text_file' }, grants)
    expect(await described, `${grants}`).toBeUndefined()
  }
})

it('serves an agent elsewhere as it serves one here', async () => {
  const home = await folder()
  const notes = join(home, 'notes')
  await mkdir(notes)
  await writeFile(join(notes, 'a.txt'), 'buy milk')
  const { opened, url } = await serve({ files: filesServer(home) })
  const about = await readRemoteGate(url)
  expect(about).toEqual({
    did: opened.gate.did,
    vault: VAULT,
    owners: [owner.did],
    servers: ['files'],
    services: {},
  })
  const remote = await openRemoteServer(url, about, 'files')
  onTestFinished(() => remote.close())
  const pol = [
    ['==', '.name', 'read_text_file'],
    ['like', '.arguments.path', `${notes}/*`],
  ] as never
  const holder = await holderWith({ pol })
  const client = await connectTo(() => agentServer(remote, { holder }))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read_text_file', 'keyhole_ask'])
  const read = (path: string) => client.callTool({ name: 'read_text_file', arguments: { path } })
  expect(textOf(await read(join(notes, 'a.txt')))).toContain('buy milk')
  expect(textOf(await read(`${notes}//a.txt`))).toContain('buy milk')
  expect(codeOf(await read(`${notes}/../b.txt`))).toBe('MatchError')
  expect((await receipts(opened)).map(({ outcome }) => outcome)).toEqual([
    'ok',
    'UnclearPath',
    'ok',
    'UnclearPath',
  ])
})

it('asks a busy gate for a list once more, and never repeats a call', async () => {
  const { url } = await serve({ files: filesServer(await folder()) })
  const remote = await openRemoteServer(url, await readRemoteGate(url), 'files')
  onTestFinished(() => remote.close())
  const real = globalThis.fetch
  let [asked, refusals] = [0, 0]
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    asked += 1
    if (asked > refusals) return await real(...request)
    return Response.json({ error: 'busy' }, { status: 503, headers: { 'retry-after': '0' } })
  })
  onTestFinished(() => spy.mockRestore())
  /** How often the gate is asked that refuses so often. */
  const times = async (refused: number, act: () => Promise<unknown>) => {
    ;[asked, refusals] = [0, refused]
    const isDone = await act().then(
      () => true,
      () => false,
    )
    return [asked, isDone]
  }
  const list = () => remote.list('tools', [])
  expect(await times(1, list)).toEqual([2, true])
  expect(await times(9, list)).toEqual([2, false])
  const said = { command: '/mcp/tools/call', args: { name: 'read_text_file' } }
  expect(await times(9, () => remote.call('token', undefined, said))).toEqual([1, false])
})

it('gives resources and prompts', async () => {
  const { url } = await serve({ all: everythingServer() })
  const remote = await openRemoteServer(url, await readRemoteGate(url), 'all')
  onTestFinished(() => remote.close())
  const holder = await holderWith({ cmd: '/mcp' })
  const client = await connectTo(() => agentServer(remote, { holder }))
  const [resource] = (await client.listResources()).resources
  expect((await client.readResource({ uri: resource?.uri ?? '' })).contents.length).toBeGreaterThan(0)
  const [prompt] = (await client.listPrompts()).prompts
  expect((await client.getPrompt({ name: prompt?.name ?? '' })).messages.length).toBeGreaterThan(0)
})

it.each(['legacy', { pin: '2026-07-28' }] as const)(
  'shows and does nothing for a client that signs nothing: %j',
  async (mode) => {
    const { opened, url } = await serve({ files: filesServer(await folder()) })
    const client = new Client({ name: 'x', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/files`)))
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools).toEqual([])
    const call = { name: 'list_allowed_directories', arguments: {} }
    await expect(client.callTool(call)).rejects.toMatchObject({
      code: -32_003,
      data: { error: 'MissingToken' },
    })
    const forged = { ...call, _meta: { 'keyhole/invocation': 'Cnonsense', 'keyhole/grants': ['x', 1, null] } }
    await expect(client.callTool(forged)).rejects.toMatchObject({ data: { error: 'MalformedToken' } })
    expect(await receipts(opened)).toEqual([])
  },
)

it('answers no page, no other host, no other path, and nothing that is too long', async () => {
  const { url } = await serve({ files: filesServer(await folder()) })
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect((await fetch(`${url}/health`, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  const status = await new Promise((resolve) => {
    request(`${url}/gate`, { headers: { host: 'evil.example' } }, (response) =>
      resolve(response.resume().statusCode),
    ).end()
  })
  expect(status).toBe(403)
  for (const path of ['/', '/mcp/', '/mcp/other', '/mcp/files/', '/mcp/%66iles', '/mcp/__proto__'])
    expect((await fetch(`${url}${path}`, { method: 'POST', body: '{}' })).status).toBe(404)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (body: string) => fetch(`${url}/mcp/files`, { method: 'POST', headers, body })
  expect((await post('x'.repeat(5_000_000))).status).toBe(413)
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '[[[]]]',
    '{"jsonrpc":"2.0","id":{},"method":"tools/call"}',
    '{"__proto__":{}}',
  ])
    expect((await post(body)).status).toBeGreaterThanOrEqual(400)
  expect((await fetch(`${url}/health`)).status).toBe(200)
})

it.each(['http://gate.example', 'ftp://127.0.0.1', 'nonsense', ''])('is not reached by %j', async (url) => {
  await expect(readRemoteGate(url)).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
})

it('gives a request half a minute to arrive, and a body beside a call as long as its service waits', async () => {
  const api = { url: 'https://api.example', timeout: 120 }
  const { gate } = await open({}, undefined, { services: { api } })
  expect(requestTimeout(gate)).toBe(30_000)
  const other = await open({}, undefined, { services: { api: { ...api, uploads: 1_000 } } })
  expect(requestTimeout(other.gate)).toBe(150_000)
})

it('stops once the calls that run are answered, and takes no other', async () => {
  let answer = () => {}
  const api = createServer((_request, response) => {
    answer = () => response.end('done')
    api.emit('asked')
  })
  const asked = once(api, 'asked')
  const { gate } = await openInFrontOf(api)
  const listener = await listen({ gate, vault: VAULT, owners: [owner.did], port: 0 })
  const call = async () => {
    const authorization = `Bearer ${signedCall(gate.did, '/http/get', { service: 'api', path: '/x' })}`
    return await fetch(`${listener.url}/http/api`, { method: 'POST', headers: { authorization } })
  }
  const running = call()
  await asked
  let isStopped = false
  const stopped = listener.close().then(() => {
    isStopped = true
  })
  await expect(call()).rejects.toThrow('fetch failed')
  expect(isStopped).toBe(false)
  answer()
  expect(await (await running).text()).toBe('done')
  await stopped
})

/** Sends bytes as they are. @returns the socket, and all that comes back until the gate ends it */
function sendRaw(url: string, text: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let got = ''
  socket.on('data', (bytes) => {
    got += bytes
  })
  const answered = once(socket, 'close').then(() => got)
  answered.catch(() => {})
  socket.write(text)
  return { socket, answered }
}

it.each([
  ['GET http://other.example/gate HTTP/1.1\r\nHost: 127.0.0.1', 403],
  ['GET http://127.0.0.1@other.example/gate HTTP/1.1\r\nHost: 127.0.0.1', 403],
  ['GET http:///gate HTTP/1.1\r\nHost: 127.0.0.1', 403],
  ['GET HTTP://other.example/gate HTTP/1.1\r\nHost: 127.0.0.1', 403],
  ['GET http://127.0.0.1/gate HTTP/1.1\r\nHost: other.example', 200],
  ['GET /gate HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: other.example', 400],
  ['GET /gate HTTP/1.1\r\nHost: 127.0.0.1, other.example', 403],
  ['GET /bad HTTP/1.1\r\nHost: 127.1/mcp', 400],
  ['GET /gate HTTP/1.1\r\nHost: x@127.0.0.1', 400],
  ['GET /gate HTTP/1.1', 400],
  ['GET /gate HTTP/1.1\r\nHost: 127.0.0.1:1', 200],
])('goes by the host that a request is for, wherever it says so: %j', async (head, status) => {
  const { url } = await serve({})
  const { answered } = sendRaw(url, `${head}\r\nConnection: close\r\n\r\n`)
  expect(await answered).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

it('makes no call before all of its request has arrived, and none that breaks off', async () => {
  const asked: unknown[] = []
  const api = createServer((request, response) => {
    asked.push(request.url)
    response.end('done')
  })
  const opened = await openInFrontOf(api)
  const listener = await listen({ gate: opened.gate, vault: VAULT, owners: [owner.did], port: 0 })
  onTestFinished(() => listener.close())
  const headFor = (path: string, more: string) => {
    const token = signedCall(opened.gate.did, '/http/get', { service: 'api', path })
    return `POST /http/api HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n${more}\r\n\r\n`
  }
  const broken = sendRaw(listener.url, `${headFor('/broken', 'Content-Length: 10')}{}`)
  const cut = sendRaw(listener.url, `${headFor('/cut', 'Transfer-Encoding: chunked')}3\r\nabc\r\n`)
  const slow = sendRaw(listener.url, `${headFor('/slow', 'Content-Length: 4')}ab`)
  expect(await sendRaw(listener.url, headFor('/now', 'Content-Length: 0')).answered).toContain('done')
  for (const { socket } of [broken, cut]) socket.destroy()
  await expect.poll(async () => (await receipts(opened)).length).toBe(3)
  expect(asked).toEqual(['/now'])
  slow.socket.write('cd')
  expect(await slow.answered).toContain('done')
  expect(asked).toEqual(['/now', '/slow'])
  const outcomes = (await receipts(opened)).map(({ name, outcome }) => `${name} ${outcome}`)
  expect(outcomes.toSorted()).toEqual([
    'GET /broken MalformedCall',
    'GET /cut MalformedCall',
    'GET /now ok',
    'GET /slow ok',
  ])
})

it('passes over a body that no call names, and refuses one without end', async () => {
  const { gate } = await openInFrontOf(createServer((_request, response) => response.end('done')))
  const listener = await listen({ gate, vault: VAULT, owners: [owner.did], port: 0 })
  onTestFinished(() => listener.close())
  const post = async (body: string) => {
    const authorization = `Bearer ${signedCall(gate.did, '/http/get', { service: 'api', path: '/x' })}`
    return await fetch(`${listener.url}/http/api`, { method: 'POST', headers: { authorization }, body })
  }
  expect(await (await post('{"anything":1}')).text()).toBe('done')
  expect((await post('x'.repeat(5_000_000))).status).toBe(413)
})

it('disconnects who sends many requests without waiting for answers', async () => {
  const { url } = await serve({})
  const one = 'GET /gate HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
  const few = sendRaw(url, `${one.repeat(20)}${one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`)
  expect((await few.answered).split('HTTP/1.1 200')).toHaveLength(22)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const used = new Set<unknown>()
  for (let time = 0; time < 50; time += 1) {
    const asked = request(`${url}/health`, { agent }).end()
    const [answer] = await once(asked, 'response')
    used.add(asked.socket?.localPort)
    await once(answer.resume(), 'end')
  }
  expect(used.size).toBe(1)
  const many = sendRaw(url, one.repeat(200))
  expect((await many.answered).split('HTTP/1.1 200').length).toBeLessThan(40)
  expect((await fetch(`${url}/gate`)).status).toBe(200)
})

it('lets few large bodies arrive at a time', async () => {
  const { url } = await serve({ bad: filesServer(await folder()) })
  const head = 'POST /mcp/bad HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
  const slow = Array.from({ length: 16 }, () => sendRaw(url, `${head}Content-Length: 4000000\r\n\r\n{`))
  const post = async (length: number) =>
    await fetch(`${url}/mcp/bad`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(length) } }),
    })
  await expect.poll(async () => (await post(100_000)).status).toBe(503)
  expect((await post(100_000)).headers.get('retry-after')).toBe('1')
  expect((await post(60_000)).status).toBe(200)
  // Who sends all of its body before it reads must be able to read the answer.
  const last = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
  const whole = sendRaw(url, `${head}Content-Length: 4000000\r\n\r\n${'x'.repeat(4_000_000)}${last}`)
  expect((await whole.answered).match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200'])
  for (const { socket } of slow) socket.destroy()
  await expect.poll(async () => (await post(100_000)).status).toBe(200)
})

it('has room for the next large body once one was answered before it arrived', async () => {
  const { url } = await serve({ bad: filesServer(await folder()) })
  for (const [head, status] of [
    ['GET /mcp/bad HTTP/1.1', 405],
    ['POST /mcp/none HTTP/1.1', 404],
    ['POST /mcp/bad HTTP/1.1\r\nOrigin: https://evil.example', 403],
    ['POST /mcp/bad HTTP/1.1\r\nContent-Type: application/json', 413],
  ] as const) {
    const length = status === 413 ? 5_000_000 : 70_000
    for (let time = 0; time < 17; time += 1) {
      const text = `${head}\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n\r\n`
      const { socket, answered } = sendRaw(url, text)
      const [first] = await once(socket, 'data')
      expect(String(first)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      socket.end()
      await answered
    }
  }
})
