// `keyhole relay` as a process of its own. With NATS, real servers; skipped without `nats-server`, which fails in CI.
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createHolder, memoryStore } from '@keyhole/holder'
import { mailbox } from '@keyhole/holder/mailbox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { natsServer } from '../../../scripts/cluster/nats-server.mjs'
import { startNats } from '../../relay/src/test/nats-servers.ts'
import { type Home, home } from './test/command.ts'

const program = natsServer()

async function start(at: Home, options: readonly string[] = []) {
  const started = at.start(['relay', '--listen', '127.0.0.1:0', '--json', ...options])
  onTestFinished(() => started.kill('SIGKILL'))
  const { url } = JSON.parse(await started.line())
  return { started, url, health: new URL('/healthz', url).href }
}

/** Opens a mailbox. @returns what writes its message at a relay */
async function ask(url: string): Promise<(url: string) => Promise<number>> {
  const ended = new AbortController()
  const holder = createHolder({ store: memoryStore() })
  const asked = await holder.ask({
    vault: 'https://vault.example',
    command: '/http/get',
    reply: mailbox({ relay: url }),
    signal: ended.signal,
  })
  asked.answer.catch(() => {})
  ended.abort()
  const { reply } = JSON.parse(Buffer.from(asked.text.split('.')[1] ?? '', 'base64url').toString())
  const body = JSON.stringify({ mailbox: reply.mailbox, message: 'AAAA' })
  return async (at) => (await fetch(`${at}/mailboxes/message`, { method: 'POST', body })).status
}

describe('a relay', () => {
  it('has mailboxes, which a restart keeps in a folder that only its owner can read', async () => {
    const at = await home()
    const first = await start(at)
    const send = await ask(first.url)
    expect((await fetch(first.health)).status).toBe(200)
    first.started.kill('SIGKILL')
    await first.started.ended
    const second = await start(at)
    expect(await send(second.url)).toBe(204)
    expect((await stat(join(at.folder, 'data/keyhole/relay'))).mode & 0o077).toBe(0)
    second.started.kill('SIGTERM')
    const { code, err } = await second.started.ended
    expect(code).toBe(0)
    expect(err).not.toContain('"level":"error"')
  })

  it('forgets what is in memory, and leaves no folder', async () => {
    const at = await home()
    const first = await start(at, ['--store', 'memory'])
    const send = await ask(first.url)
    first.started.kill('SIGTERM')
    await first.started.ended
    const second = await start(at, ['--store', 'memory'])
    expect(await send(second.url)).toBe(404)
    await expect(stat(join(at.folder, 'data'))).rejects.toThrow()
  })

  it('disconnects who sends many requests without waiting for answers', async () => {
    const { url, health } = await start(await home(), ['--store', 'memory'])
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let got = ''
    socket.on('data', (bytes) => {
      got += bytes
    })
    const one = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
    socket.end(one.repeat(200))
    await once(socket, 'close')
    expect(got.split('HTTP/1.1 200').length).toBeLessThan(40)
    expect((await fetch(health)).status).toBe(200)
  })

  it('serves its paths and no other', async () => {
    const { url, health } = await start(await home(), ['--store', 'memory'])
    expect((await fetch(`${url}/revocations`)).status).toBe(401)
    expect((await fetch(new URL('/', url))).status).toBe(404)
    expect((await fetch(`${health}/x`)).status).toBe(404)
    expect((await fetch(`${url}/records/read`, { method: 'POST' })).status).toBe(404)
  })

  it('tells clients behind a proxy apart only if it is told to', async () => {
    const from = async (url: string, address: string) =>
      (await fetch(`${url}/mailboxes`, { method: 'POST', headers: { 'x-forwarded-for': address } })).status
    const alone = await start(await home(), ['--store', 'memory'])
    for (let count = 0; count < 40; count += 1) await from(alone.url, `192.0.2.${count}`)
    expect(await from(alone.url, '192.0.2.99')).toBe(429)
    const behind = await start(await home(), ['--store', 'memory', '--proxy'])
    for (let count = 0; count < 40; count += 1) await from(behind.url, '192.0.2.99, 192.0.2.1')
    expect(await from(behind.url, '192.0.2.99, 192.0.2.1')).toBe(429)
    expect(await from(behind.url, '192.0.2.99')).toBe(401)
  })

  it('answers others while a client sends slowly, and ends with it connected', async () => {
    const { started, url } = await start(await home(), ['--store', 'memory'])
    const { port } = new URL(url)
    const slow = connect(Number(port), '127.0.0.1')
    slow.on('error', () => {})
    slow.write('POST /relay/revocations HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{')
    await once(slow, 'connect')
    expect((await fetch(`${url}/revocations`)).status).toBe(401)
    started.kill('SIGTERM')
    slow.destroy()
    expect((await started.ended).code).toBe(0)
  })

  it('refuses headers that are too long', async () => {
    const { url } = await start(await home(), ['--store', 'memory'])
    const sent = request(`${url}/revocations`, { headers: { 'x-long': 'x'.repeat(40_000) } })
    sent.end()
    const [response] = await once(sent, 'response')
    expect(response.statusCode).toBe(431)
  })

  it("says that a folder or a port can't be used", async () => {
    const at = await home()
    await writeFile(join(at.folder, 'file'), '')
    const folder = await at.json(['relay', '--listen', '127.0.0.1:0', '--data', 'file/in'])
    expect(folder).toMatchObject({ code: 3, said: { error: { code: 'STORE_FAILED' } } })
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const listening = await at.json(['relay', '--store', 'memory', '--listen', `127.0.0.1:${port}`])
    expect(listening).toMatchObject({ code: 3, said: { error: { code: 'LISTEN_FAILED' } } })
  })

  it.each([
    ['a store that is none', ['--store', 'redis']],
    ['a folder for memory', ['--store', 'memory', '--data', 'x']],
    ['a cluster for a folder', ['--nats', '127.0.0.1:1']],
    ['no cluster', ['--store', 'nats']],
    ['a cluster that is none', ['--store', 'nats', '--nats', 'a b']],
    ['a password on the command line', ['--store', 'nats', '--nats', 'nats://user:secret@127.0.0.1:4222']],
    ['a place that is none', ['--listen', '4280']],
  ])('is not started with %s', async (_name, options) => {
    const { code, err } = await (await home()).run(['relay', ...options])
    expect(code).toBe(2)
    expect(err).not.toContain('secret')
  })

  it('says that no NATS server answers, without the password', async () => {
    const at = await home({ KEYHOLE_NATS: 'nats://user:hidden@127.0.0.1:1' })
    const { code, err } = await at.run(['relay', '--store', 'nats'])
    expect(code).toBe(3)
    expect(err).toContain('127.0.0.1:1')
    expect(err).not.toContain('hidden')
  })
})

describe.skipIf(program === undefined)('two relays with NATS', () => {
  it('share mailboxes, and say when the cluster is gone and back', async () => {
    const servers = await startNats(program ?? '', 1)
    onTestFinished(() => servers.end())
    const connection = await servers.connect()
    const place = connection.getServer()
    await connection.close()
    const options = ['--store', 'nats', '--nats', place]
    const one = await start(await home(), options)
    const other = await start(await home({ KEYHOLE_NATS: `nats://${place}` }), ['--store', 'nats'])
    const send = await ask(one.url)
    expect(await send(other.url)).toBe(204)
    await servers.kill(0)
    await vi.waitFor(async () => expect((await fetch(one.health)).status).toBe(503), { timeout: 20_000 })
    expect(await send(other.url)).toBe(503)
    await servers.start(0)
    await vi.waitFor(async () => expect((await fetch(one.health)).status).toBe(200), { timeout: 30_000 })
    one.started.kill('SIGTERM')
    expect((await one.started.ended).code).toBe(0)
  })

  it('waits for a cluster that has no leader yet', async () => {
    const servers = await startNats(program ?? '', 3)
    onTestFinished(() => servers.end())
    const connection = await servers.connect(0)
    const place = connection.getServer()
    await connection.close()
    await servers.kill(1)
    await servers.kill(2)
    const at = await home()
    const waiting = at.start([
      'relay',
      '--listen',
      '127.0.0.1:0',
      '--json',
      '--store',
      'nats',
      '--nats',
      place,
    ])
    onTestFinished(() => waiting.kill('SIGKILL'))
    expect(await waiting.told()).toContain('Trying again')
    await Promise.all([servers.start(1), servers.start(2)])
    const { url } = JSON.parse(await waiting.line())
    await vi.waitFor(async () => expect((await fetch(new URL('/healthz', url))).status).toBe(200), {
      timeout: 30_000,
    })
  })
})
