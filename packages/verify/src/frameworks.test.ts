// The guards in the real frameworks, over real sockets.
import { once } from 'node:events'
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import { createHolder, memoryStore } from '@keyhole/holder'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as forExpress from './express.ts'
import * as forFastify from './fastify.ts'
import * as forFetch from './fetch.ts'
import * as forHono from './hono.ts'
import * as forNode from './node.ts'
import {
  callText,
  callUnder,
  closeSharedEnclave,
  delegation,
  friend,
  makeVerifier,
  owner,
  revocationText,
} from './test/calls.ts'
import type { Verifier, VerifierOptions } from './verifier.ts'

const errors: unknown[] = []
const fail = (): never => {
  throw new Error('in the service')
}
const OPTIONS = {
  command: '/msg',
  vault: 'https://vault.example',
  reason: 'To read your notes',
  policy: () => [['==', '.folder', 'notes']],
  onError: (error: unknown) => errors.push(error),
}

interface Started {
  readonly url: string
  close(): Promise<void>
}

async function listening(server: Server): Promise<Started> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A handler's body must not be read before the call is authorized: each handler returns the folder that was signed. */
const FRAMEWORKS: Record<string, (verifier: Verifier) => Promise<Started>> = {
  'node:http': (verifier) => {
    const guard = forNode.guard(verifier, OPTIONS)
    const listener: RequestListener = (request, response) =>
      void guard(request, response, () => response.end(String(forNode.callOf(request).args.folder)))
    return listening(
      createServer(forNode.SERVER_OPTIONS, listener).on('clientError', forNode.answerClientError),
    )
  },
  'Express 5': (verifier) => {
    const app = express()
    app.post('/notes', forExpress.guard(verifier, OPTIONS), (request, response) => {
      response.send(String(forExpress.callOf(request).args.folder))
    })
    return listening(createServer(forNode.SERVER_OPTIONS, app))
  },
  'Fastify 5': async (verifier) => {
    const app = fastify({ http: forNode.SERVER_OPTIONS })
    app.post('/notes', { onRequest: forFastify.guard(verifier, OPTIONS) }, async (request) =>
      String(forFastify.callOf(request).args.folder),
    )
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    return { url, close: () => app.close() }
  },
  Hono: async (verifier) => {
    const app = new Hono()
    app.post('/notes', forHono.guard(verifier, OPTIONS), (context) =>
      context.text(String(context.get('call').args.folder)),
    )
    return await served(app.fetch)
  },
  fetch: async (verifier) =>
    await served(forFetch.guard(verifier, OPTIONS, ({ args }) => new Response(String(args.folder)))),
}

async function served(handler: (request: Request) => Response | Promise<Response>): Promise<Started> {
  let server: Server | undefined
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server = serve(
      { fetch: handler, port: 0, hostname: '127.0.0.1', serverOptions: forNode.SERVER_OPTIONS },
      resolve,
    ) as Server
  })
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server?.closeAllConnections()
      await new Promise((resolve) => server?.close(resolve))
    },
  }
}

const NOTES = { args: new Map([['folder', 'notes']]) }

describe.each(Object.entries(FRAMEWORKS))('%s', (_, start) => {
  let started: Started
  const begin = async (options: Partial<VerifierOptions> = {}) => {
    started = await start(await makeVerifier(options))
  }
  afterEach(async () => {
    errors.length = 0
    await started.close()
  })
  const ask = (token?: string, init: RequestInit = {}) =>
    fetch(`${started.url}/notes`, {
      method: 'POST',
      ...init,
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    })

  it('lets an authorized call through once', async () => {
    await begin()
    const token = callText(NOTES)
    const first = await ask(token)
    expect([first.status, await first.text()]).toEqual([200, 'notes'])
    const again = await ask(token)
    expect([again.status, await again.json()]).toMatchObject([401, { error: { name: 'Replayed' } }])
  })

  it('lets one of 20 simultaneous calls through', async () => {
    await begin()
    const token = callText(NOTES)
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask(token)).status))
    expect(statuses.toSorted()).toEqual([200, ...Array(19).fill(401)])
  })

  it('says what to ask for without a token, and a holder can ask for it', async () => {
    await begin()
    const response = await ask()
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { error, subject, audience, request } = (await response.json()) as Record<string, unknown>
    expect({ error, subject, audience, request }).toMatchObject({
      error: { name: 'MissingToken' },
      subject: owner.did,
      audience: owner.did,
      request: {
        vault: 'https://vault.example',
        command: '/msg',
        policy: [['==', '.folder', 'notes']],
        reason: 'To read your notes',
      },
    })
    const holder = createHolder({ store: memoryStore() })
    const asked = await holder.ask(request as Parameters<typeof holder.ask>[0])
    expect(asked.link).toMatch(/^https:\/\/vault\.example\/connect#keyhole-request-1\./)
  })

  it('says what to ask for if a grant is too narrow', async () => {
    await begin()
    const response = await ask(callText(NOTES, { pol: [['==', '.folder', 'recipes']] }))
    expect([response.status, await response.json()]).toMatchObject([
      403,
      {
        error: { name: 'MatchError' },
        subject: owner.did,
        request: { command: '/msg', policy: [['==', '.', { folder: 'notes' }]] },
      },
    ])
  })

  it.each([
    ['Basic Ctoken', 400, 'MalformedHeader'],
    ['Bearer one two', 400, 'MalformedHeader'],
    ['Bearer C', 400, 'MalformedToken'],
    ['', 401, 'MissingToken'],
    [`Bearer ${'C'.repeat(49_153)}`, 413, 'TooLarge'],
  ])('answers a header that is not a call (%#)', async (authorization, status, name) => {
    await begin()
    const response = await fetch(`${started.url}/notes`, {
      method: 'POST',
      ...(authorization && { headers: { authorization } }),
    })
    expect([response.status, await response.json()]).toMatchObject([status, { error: { name } }])
  })

  it('refuses two tokens', async () => {
    await begin()
    const sent = httpRequest(`${started.url}/notes`, { method: 'POST' })
    sent.setHeader('authorization', [`Bearer ${callText(NOTES)}`, `Bearer ${callText(NOTES)}`])
    const [response] = await once(sent.end(), 'response')
    response.resume()
    expect(response.statusCode).toBe(400)
  })

  it('answers 503 if no decision can be made, and calls nothing', async () => {
    await begin({
      replay: { claim: () => Promise.reject(new Error('the disk at /secret')), close: async () => {} },
    })
    const response = await ask(callText(NOTES))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.text()).not.toContain('secret')
    expect(errors).toMatchObject([{ code: 'STORE_FAILED' }])
  })

  it("answers before a body is sent, and isn't blocked by one that never ends", async () => {
    await begin()
    const { port } = new URL(started.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nabc')
    const [data] = await once(socket, 'data')
    expect(String(data)).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  it('answers headers that are too long', async () => {
    await begin()
    const response = await ask('C'.repeat(70_000)).catch(() => undefined)
    expect(response?.status).toBe(431)
  })
})

/** Makes a guard of each kind without types, as a service in JavaScript does. */
const GUARDS: Record<string, (verifier: unknown, options: unknown) => unknown> = {
  'node:http': (verifier, options) => Reflect.apply(forNode.guard, undefined, [verifier, options]),
  Express: (verifier, options) => Reflect.apply(forExpress.guard, undefined, [verifier, options]),
  Fastify: (verifier, options) => Reflect.apply(forFastify.guard, undefined, [verifier, options]),
  Hono: (verifier, options) => Reflect.apply(forHono.guard, undefined, [verifier, options]),
  fetch: (verifier, options) => Reflect.apply(forFetch.guard, undefined, [verifier, options, fail]),
}
const WRONG = expect.objectContaining({ name: 'VerifyError', code: 'INVALID_OPTIONS' })

describe.each(Object.entries(GUARDS))('a guard of %s is not made', (_, make) => {
  it.each([
    ['no options', undefined],
    ['options without a command', {}],
    ['a text', '/notes/read'],
    ['an option that does not exist', { command: '/notes/read', cmd: '/notes/read' }],
    ['a command without a slash', { command: 'notes/read' }],
    ['a vault that is no address', { command: '/notes/read', vault: 'vault.example' }],
    ['a policy that is no function', { command: '/notes/read', policy: [] }],
    ['a comparison that is no function', { command: '/notes/read', compare: true }],
    ['a reason that is too long', { command: '/notes/read', reason: 'x'.repeat(301) }],
  ])('with %s', async (_what, options) => {
    const verifier = await makeVerifier()
    expect(() => make(verifier, options)).toThrow(WRONG)
  })

  it('with a verifier that is not awaited, or none', () => {
    expect(() => make(makeVerifier(), { command: '/notes/read' })).toThrow(WRONG)
    expect(() => make(undefined, { command: '/notes/read' })).toThrow(WRONG)
    expect(() => make({ command: '/notes/read' }, undefined)).toThrow(WRONG)
  })
})

it('a guard for `fetch` and a taker of revocations are not made without what they need', async () => {
  const verifier = await makeVerifier()
  const make = [
    () => Reflect.apply(forFetch.guard, undefined, [verifier, { command: '/notes/read' }]),
    () => Reflect.apply(forNode.revocations, undefined, []),
    () => Reflect.apply(forNode.revocations, undefined, [verifier, { onerror: fail }]),
  ]
  for (const each of make) expect(each).toThrow(WRONG)
})

it('a guard whose function names no command authorizes nothing', async () => {
  const told: unknown[] = []
  const options = { command: () => Object(undefined).command, onError: (error: unknown) => told.push(error) }
  const guarded = forFetch.guard(await makeVerifier(), options, () => new Response('done'))
  const headers = { authorization: `Bearer ${callText(NOTES)}` }
  const { status } = await guarded(new Request('http://localhost/', { headers }))
  expect([status, told]).toEqual([503, [WRONG]])
})

describe.each([
  ['its command', { command: () => fail() }],
  ['its policy', { command: '/msg', policy: () => fail() }],
  ['its address', { command: '/msg', address: () => fail() }],
])('a guard of which %s fails on what a stranger sent', (_what, failing) => {
  it('authorizes nothing, and tells the service', async () => {
    const told: unknown[] = []
    const options = { ...failing, onError: (error: unknown) => told.push(error) }
    const guarded = forFetch.guard(await makeVerifier(), options, () => new Response('done'))
    const { status } = await guarded(new Request('http://localhost//'))
    expect([status, told]).toEqual([503, [expect.objectContaining({ message: 'in the service' })]])
  })
})

describe('node:http', () => {
  let started: Started
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await makeVerifier()
    const take = forNode.revocations(verifier, { onError: (error) => errors.push(error) })
    const server = createServer((request, response) => void take(request, response))
    started = await listening(server.on('clientError', forNode.answerClientError))
  })
  afterAll(async () => {
    await started.close()
    await closeSharedEnclave()
  })
  const deliver = (body: string) => fetch(started.url, { method: 'POST', body })

  it('takes revocations', async () => {
    const grant = delegation(owner, friend)
    const response = await deliver(`${revocationText(owner, grant)}\n`)
    expect([response.status, await response.json()]).toMatchObject([
      202,
      { revokes: grant.cid, by: owner.did },
    ])
    expect(await verifier.check(callUnder(grant))).toMatchObject({ refusal: { name: 'Revoked' } })
  })

  it.each([
    ['', 400, 'MalformedToken'],
    ['C', 400, 'MalformedToken'],
    [callText(), 400, 'NotARevocation'],
    ['C'.repeat(10_000_000), 413, 'TooLarge'],
  ])('refuses what is not a revocation (%#)', async (body, status, name) => {
    const response = await deliver(body).catch(() => undefined)
    // A client that is still sending when the answer comes may lose it.
    if (response)
      expect([response.status, await response.json()]).toMatchObject([status, { error: { name } }])
    else expect(status).toBe(413)
    expect((await deliver('C')).status).toBe(400)
  })

  it('answers what is not HTTP', async () => {
    const { port } = new URL(started.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end('what is this\r\n\r\n')
    let said = ''
    for await (const part of socket) said += part
    expect(said).toMatch(/^HTTP\/1\.1 400 [\s\S]*"MalformedRequest"/)
  })
})
