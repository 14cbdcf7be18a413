// The relay on a real server: clients that leave or don't read, and a holder that asks by mailbox.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createHolder, memoryStore as holderStore } from '@keyhole/holder'
import { mailbox } from '@keyhole/holder/mailbox'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { container, delegation, type Person, person } from '../../enclave/src/test/naive-tokens.ts'
import { seal } from '../../holder/src/test/relay-double.ts'
import { POLL } from './feed/listeners.ts'
import { answerUnavailable, relayListener } from './node.ts'
import { createRelay, type Relay } from './relay.ts'
import { memoryStore } from './stores/memory-store.ts'
import type { RelayStore } from './stores/store.ts'
import { chainOf, closeSharedEnclave, NO_RATES, reading, revoke, sharedEnclave } from './test/relay.ts'

const LONG = 'C'.repeat(8_000)
const owner = person(1)
const app = person(2)

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const each of open.splice(0)) await each.close()
})
afterAll(closeSharedEnclave)

/** Starts a server. `own` handles what is not below `/relay/`. */
async function serve({
  store = memoryStore(),
  own,
}: {
  readonly store?: RelayStore
  readonly own?: (request: IncomingMessage, response: ServerResponse) => void
} = {}) {
  const relay = await createRelay({
    store,
    enclave: await sharedEnclave(),
    rates: NO_RATES,
    mostListenersEach: 1_000,
  })
  const listener = relayListener(relay)
  const server = createServer((request, response) => {
    if (!own || request.url?.startsWith('/relay/')) listener(request, response)
    else own(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  open.push({ close: () => end(server, relay) })
  return { relay, port, url: `http://127.0.0.1:${port}` }
}

async function end(server: Server, relay: Relay): Promise<void> {
  await relay.close()
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

const feedToken = (port: number, by: Person = owner) =>
  reading(by, owner, [], {
    aud: `did:web:127.0.0.1%3A${port}`,
    exp: BigInt(Math.floor(Date.now() / 1_000) + 300),
  })

/** Connects a listener that doesn't read. */
async function connectListener(port: number) {
  const socket = connect(port, '127.0.0.1')
  const lines = [
    'GET /relay/revocations HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Accept: text/event-stream',
    `Authorization: Bearer ${feedToken(port)}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

describe('a relay on a server', () => {
  it('sends a revocation to a listener, and removes one that leaves', async () => {
    const { relay, port, url } = await serve()
    const stop = new AbortController()
    const heard = await fetch(`${url}/relay/revocations`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${feedToken(port)}` },
      signal: stop.signal,
    })
    expect(heard.headers.get('content-type')).toBe('text/event-stream')
    const reader = heard.body?.pipeThrough(new TextDecoderStream() as never).getReader()
    const { tokens, text } = chainOf([owner, app])
    const [target] = tokens
    if (!target) throw new Error('No delegation.')
    const posted = await fetch(`${url}/relay/revocations`, {
      method: 'POST',
      body: JSON.stringify({ revocation: revoke(owner, target), token: text }),
    })
    expect(posted.status).toBe(201)
    let all = ''
    while (!all.includes(target.cid)) all += (await reader?.read())?.value ?? ''
    expect(relay.listeners).toBe(1)
    stop.abort()
    await vi.waitFor(() => expect(relay.listeners).toBe(0))
  })

  it('answers as one whose store can’t be reached, before there is one', async () => {
    const { url } = await serve({
      store: Object.assign(memoryStore(), {
        readReport: () => Promise.reject(new Error('Unreachable.')),
      }),
      own: answerUnavailable,
    })
    const read = async (path: string) => {
      const body = JSON.stringify({ places: ['A'.repeat(43)] })
      const answer = await fetch(`${url}${path}`, { method: 'POST', body })
      const headers = Object.fromEntries(answer.headers)
      // Not of the answer, but of how it was sent.
      for (const name of ['date', 'transfer-encoding']) delete headers[name]
      // Every route says itself which pages may read it.
      return { status: answer.status, body: await answer.text(), headers }
    }
    const { headers: ofRelay, ...relay } = await read('/relay/notices/read')
    const { headers, ...early } = await read('/early')
    expect(early).toEqual(relay)
    expect(early.status).toBe(503)
    expect(ofRelay).toMatchObject(headers)
  })

  it('removes a listener whose connection breaks', async () => {
    const { relay, port } = await serve()
    const socket = await connectListener(port)
    await vi.waitFor(() => expect(relay.listeners).toBe(1))
    socket.destroy()
    await vi.waitFor(() => expect(relay.listeners).toBe(0))
  })

  it("buffers little for a listener that doesn't read, and disconnects it", async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let read = 0
    const inner = memoryStore()
    const store = {
      ...inner,
      async revocationsSince(subject: string, seq: number, most: number) {
        const found = await inner.revocationsSince(subject, seq, most)
        read += found.reduce((sum, { revocation }) => sum + revocation.length, 0)
        return found
      },
    }
    for (let at = 0; at < 10_000; at += 1) {
      await store.addRevocation({
        subject: owner.did,
        quota: undefined,
        id: `${at}`,
        by: [owner.did],
        cid: `bafy${at}`,
        revocation: LONG,
        until: null,
        isReserved: true,
      })
    }
    const { relay, port } = await serve({ store })
    const silent = await connectListener(port)
    const closed = once(silent, 'close')
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(POLL)
        expect(relay.listeners).toBe(0)
      },
      { timeout: 20_000 },
    )
    // Of 80 MB: what fits in the buffers of both ends.
    expect(read).toBeLessThan(20e6)
    silent.resume()
    await closed
  })

  it('runs beside another handler', async () => {
    const { url } = await serve({ own: (_request, response) => response.end('page') })
    expect(await (await fetch(`${url}/`)).text()).toBe('page')
    expect(await (await fetch(`${url}/relay/`)).json()).toEqual({ error: 'not_found' })
  })

  it('stops reading a body that is too long', async () => {
    const { port } = await serve()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /relay/mailboxes/message HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => undefined)
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    for (let sent = 0; sent < 64 && !answer; sent += 1) {
      socket.write(chunk)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await vi.waitFor(() => expect(answer).toMatch(/^HTTP\/1\.1 413 /))
    socket.destroy()
  })
})

describe('a holder that asks by mailbox', () => {
  /** Sends a request, and returns a function that answers it as a vault would. */
  async function ask() {
    const { url } = await serve()
    const holder = createHolder({ store: holderStore() })
    const asked = await holder.ask({
      vault: 'https://vault.example',
      command: '/msg/send',
      reply: mailbox({ relay: `${url}/relay` }),
    })
    const request = Buffer.from(asked.text.replace('keyhole-request-1.', ''), 'base64url')
    const { reply, audience } = JSON.parse(request.toString())
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Buffer.from(asked.text)))
    const answer = async (content: object) => {
      const plain = Buffer.from(
        JSON.stringify({ request: Buffer.from(digest).toString('base64url'), ...content }),
      )
      const key = Uint8Array.from(Buffer.from(reply.key, 'base64url'))
      const sealed = await seal(key, digest, reply.mailbox, plain)
      return fetch(`${reply.relay}/mailboxes/message`, {
        method: 'POST',
        body: JSON.stringify({
          mailbox: reply.mailbox,
          message: Buffer.from(sealed).toString('base64url'),
        }),
      })
    }
    return { holder, asked, audience, answer }
  }

  it('gets its grant', async () => {
    const { holder, asked, audience, answer } = await ask()
    const grant = delegation(owner, { ...app, did: audience }, { cmd: '/msg', nonce: Buffer.alloc(12) })
    expect((await answer({ token: container([grant]) })).status).toBe(204)
    expect(await asked.answer).toMatchObject({ command: '/msg', subject: owner.did })
    expect(await holder.grants()).toHaveLength(1)
  })

  it('learns that the person declined', async () => {
    const { asked, answer } = await ask()
    const refused = expect(asked.answer).rejects.toMatchObject({ code: 'Declined' })
    expect((await answer({ refused: 'DECLINED', message: 'No.' })).status).toBe(204)
    await refused
  })
})
