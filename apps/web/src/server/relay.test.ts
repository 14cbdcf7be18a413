// The relay as `npm start` runs it: a real one, in the client's server, on a real socket.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createHolder, memoryStore } from '@keyhole/holder'
import { mailbox } from '@keyhole/holder/mailbox'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { natsServer } from '../../../../scripts/cluster/nats-server.mjs'
import { createClientServer } from './client-server.js'
import { type MountedRelay, openRelay } from './relay.js'
import { writePages } from './test/build-pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'keyhole-mounted-'))
const build = join(folder, 'build')
mkdirSync(build)
writePages(build)
afterAll(() => rmSync(folder, { recursive: true }))

let server: Server | undefined
let relay: MountedRelay | undefined
async function start(env: Record<string, string> = {}): Promise<string> {
  relay = await openRelay({ KEYHOLE_RELAY: join(folder, 'data'), ...env })
  server = createClientServer(build, { relay })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
async function stop(): Promise<void> {
  const closed = server?.listening && once(server, 'close')
  server?.close()
  server?.closeAllConnections()
  await closed
  await relay?.close()
  server = undefined
  relay = undefined
}
afterEach(stop)

/** Opens a mailbox at a relay. @returns what leaves a message in it, at any relay with the same store */
async function openMailbox(url: string): Promise<(to: string) => Promise<Response>> {
  const ended = new AbortController()
  const holder = createHolder({ store: memoryStore() })
  const asked = await holder.ask({
    vault: url,
    command: '/http/get',
    reply: mailbox({ relay: `${url}/relay` }),
    signal: ended.signal,
  })
  const text = JSON.parse(Buffer.from(asked.text.split('.')[1] ?? '', 'base64url').toString())
  asked.answer.catch(() => {})
  ended.abort()
  return (to) =>
    fetch(`${to}/relay/mailboxes/message`, {
      method: 'POST',
      body: JSON.stringify({ mailbox: text.reply.mailbox, message: 'AAAA' }),
    })
}

const program = natsServer()

/** A port that no one listens on. */
async function freePort(): Promise<number> {
  const free = createServer()
  await once(free.listen(0, '127.0.0.1'), 'listening')
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  return port
}

const addressOf = (port: number) => `nats://keeper:p%40s%3As@127.0.0.1:${port}`

/** Starts a NATS server for this test, which asks for a password. @returns its address */
async function startNats(port: number): Promise<string> {
  const place = mkdtempSync(join(folder, 'nats-'))
  const [config, log] = [join(place, 'conf'), join(place, 'log')]
  writeFileSync(
    config,
    `listen: "127.0.0.1:${port}"\nauthorization { user: keeper, password: "p@s:s" }\njetstream { store_dir: ${JSON.stringify(place)}, max_file: 32G }\n`,
  )
  const nats = spawn(program ?? '', ['-c', config, '-l', log], { stdio: 'ignore' })
  onTestFinished(async () => {
    await stop()
    const ended = once(nats, 'exit')
    nats.kill('SIGKILL')
    await ended
  })
  await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain('Server is ready'), 20_000)
  return addressOf(port)
}

describe("the relay in the client's server", () => {
  it('answers next to the client, and takes none of its paths', async () => {
    const url = await start()
    expect(await (await fetch(`${url}/`)).text()).toContain('<title>index</title>')
    expect((await fetch(`${url}/relay/revocations`)).status).toBe(401)
    expect((await fetch(`${url}/relay`)).status).toBe(404)
    expect((await fetch(`${url}/relayed`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${url}/`, { method: 'POST', body: 'x' })).status).toBe(405)
  })

  it('names its store, the same after a restart and another one for another folder', async () => {
    const named = async (url: string, path: string) => (await fetch(url + path)).headers.get('keyhole-relay')
    const url = await start()
    const said = await named(url, '/')
    expect(said).toMatch(/^\/relay; store=[\w-]+$/)
    expect(await named(url, '/relay/revocations')).toBe(said)
    await stop()
    expect(await named(await start(), '/')).toBe(said)
    await stop()
    expect(await named(await start({ KEYHOLE_RELAY: join(folder, 'other') }), '/')).not.toBe(said)
  })

  it('opens a mailbox for an asker, and still has it after a restart', async () => {
    const send = await openMailbox(await start())
    await stop()
    expect((await send(await start())).status).toBe(204)
  })

  it.skipIf(program === undefined)(
    'stores in NATS by one setting, where the next server finds it',
    async () => {
      const place = await startNats(await freePort())
      const first = await start({ KEYHOLE_RELAY: place })
      const named = async (url: string) => (await fetch(url)).headers.get('keyhole-relay')
      const said = await named(first)
      expect(said).toMatch(/^\/relay; store=[\w-]+$/)
      const send = await openMailbox(first)
      await stop()
      const second = await start({ KEYHOLE_RELAY: place })
      expect(await named(second)).toBe(said)
      expect((await send(second)).status).toBe(204)
    },
  )

  it.skipIf(program === undefined)(
    'answers 503 until NATS does, then takes up its work, and says so without the password',
    async () => {
      const said: string[] = []
      const note = (...words: unknown[]) => void said.push(words.map((each) => inspect(each)).join(' '))
      const spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'log')]
      for (const spy of spies) spy.mockImplementation(note)
      onTestFinished(() => {
        for (const spy of spies) spy.mockRestore()
      })
      const port = await freePort()
      const url = await start({ KEYHOLE_RELAY: addressOf(port) })
      const ask = (path = '/relay/revocations') => fetch(url + path)
      const early = await ask()
      expect([early.status, early.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
      expect(await early.json()).toEqual({ error: 'unavailable' })
      expect(early.headers.get('cache-control')).toBe('no-store')
      // There is one, so what is revoked waits for it.
      expect(early.headers.get('keyhole-relay')).toBe('/relay')
      expect((await ask('/')).status).toBe(200)
      expect(said.join('\n')).toMatch(/NATS/)
      await startNats(port)
      await expect.poll(async () => (await ask()).status, { timeout: 30_000 }).toBe(401)
      expect((await ask('/')).headers.get('keyhole-relay')).toMatch(/^\/relay; store=[\w-]+$/)
      expect((await (await openMailbox(url))(url)).status).toBe(204)
      expect(said.filter((each) => /relay.*is up/i.test(each))).toHaveLength(1)
      expect(said.join('\n')).not.toMatch(/p%40s|p@s:s/)
    },
  )

  it('lets a client that sends a body read that it waits', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    const url = await start({ KEYHOLE_RELAY: addressOf(await freePort()) })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    let said = ''
    socket.on('data', (part) => {
      said += part
    })
    const answers = () => said.match(/^HTTP\/1\.1 503 /gm)?.length
    const body = 'x'.repeat(1_000_000)
    socket.write(`POST /relay/revocations HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
    await expect.poll(answers, { timeout: 10_000 }).toBe(1)
    // The connection goes on, so nothing cut off the first answer.
    socket.write(`${body}GET /relay/revocations HTTP/1.1\r\nHost: x\r\n\r\n`)
    await expect.poll(answers, { timeout: 10_000 }).toBe(2)
  })

  it('can be stopped while it waits for NATS', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => error.mockRestore())
    const url = await start({ KEYHOLE_RELAY: addressOf(await freePort()) })
    expect((await fetch(`${url}/relay/revocations`)).status).toBe(503)
    await stop()
  })

  it('limits what a stranger sends', async () => {
    const url = await start()
    const body = JSON.stringify({ revocation: 'C'.repeat(200_000), token: 'C' })
    expect((await fetch(`${url}/relay/revocations`, { method: 'POST', body })).status).toBe(413)
    expect((await fetch(`${url}/relay/revocations`, { method: 'POST', body: '[' })).status).toBe(400)
    const statuses = await Promise.all(
      Array.from(
        { length: 300 },
        async () => (await fetch(`${url}/relay/mailboxes`, { method: 'POST' })).status,
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect((await fetch(`${url}/`)).status).toBe(200)
  })

  it('tells clients behind a proxy apart only if configured to', async () => {
    const from = (url: string, address: string) =>
      fetch(`${url}/relay/mailboxes`, { method: 'POST', headers: { 'x-forwarded-for': address } })
    let url = await start()
    for (let at = 0; at < 40; at += 1) await from(url, `192.0.2.${at}`)
    expect((await from(url, '192.0.2.99')).status).toBe(429)
    await stop()
    url = await start({ KEYHOLE_PROXY: '1' })
    for (let at = 0; at < 40; at += 1) await from(url, 'x, 192.0.2.1')
    expect((await from(url, '192.0.2.99, 192.0.2.1')).status).toBe(429)
    expect((await from(url, '192.0.2.1, 192.0.2.99')).status).toBe(401)
  })

  it('drops a client that sends its body too slowly, and answers others in the meantime', async () => {
    const url = await start()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('POST /relay/revocations HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{')
    expect((await fetch(`${url}/relay/revocations`)).status).toBe(401)
    socket.destroy()
  })

  it('answers a client that asks whether to send its body', async () => {
    const url = await start()
    const sent = httpRequest(`${url}/relay/revocations`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 2 },
    })
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.end('{}')
    const [response] = await once(sent, 'response')
    response.resume()
    expect(response.statusCode).toBe(400)
  })
})

it('keeps records of devices, unless that is turned off', async () => {
  const ask = async (url: string) => (await fetch(`${url}/relay/records/read`, { method: 'POST' })).status
  expect(await ask(await start())).toBe(401)
  await stop()
  expect(await ask(await start({ KEYHOLE_RECORDS: 'off' }))).toBe(404)
})

it('can be turned off, and the client is still served', async () => {
  const url = await start({ KEYHOLE_RELAY: 'off' })
  expect((await fetch(`${url}/relay/revocations`)).status).toBe(404)
  expect((await fetch(`${url}/`)).status).toBe(200)
})

it('closes its store if it does not start', async () => {
  const close = vi.fn(async () => {})
  vi.resetModules()
  vi.doMock('@keyhole/relay/embedded', () => ({ embeddedStore: () => ({ epoch: async () => 'one', close }) }))
  vi.doMock('@keyhole/relay', () => ({ createRelay: () => Promise.reject(new Error('No enclave')) }))
  onTestFinished(() => {
    vi.doUnmock('@keyhole/relay/embedded')
    vi.doUnmock('@keyhole/relay')
    vi.resetModules()
  })
  const fresh = await import('./relay.js')
  await expect(fresh.openRelay({ KEYHOLE_RELAY: join(folder, 'unstarted') })).rejects.toThrow('No enclave')
  expect(close).toHaveBeenCalledTimes(1)
})

it.each([
  join(build, 'index.html', 'data'),
  'nats://keeper:1#hidden@127.0.0.1:1',
  'tls://keeper:hidden@127.0.0.1:1',
  'keeper:hidden@127.0.0.1:1',
])("can't be opened in %s", async (place) => {
  const error = await openRelay({ KEYHOLE_RELAY: place }).catch((reason) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(inspect(error)).not.toContain('hidden')
})
