// Attacks by a stranger who knows every URL and has any number of keys and networks.

import type { Enclave } from '@keyhole/enclave'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  container,
  delegation,
  type Person,
  person,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { POLL } from '../feed/listeners.ts'
import {
  chainOf,
  closeSharedEnclave,
  mailboxHolder,
  makeRelay,
  own,
  reading,
  revoke,
  START,
  sharedEnclave,
  type World,
} from '../test/relay.ts'
import { RATES } from './rates.ts'

afterAll(closeSharedEnclave)
afterEach(() => {
  vi.useRealTimers()
})

const [owner, app, agent] = [1, 2, 3].map(person) as [Person, Person, Person]
const message = (text: string) => Buffer.from(text).toString('base64url')
const address = (number: number) => `198.51.${number >> 8}.${number & 255}`

const postRevocation = (world: World, revocation: string, token: string, from?: string) =>
  world.post('/revocations', { revocation, token }, from)
const feedOf = async (world: World, of = owner) => {
  const token = reading(of, of, [], { exp: BigInt(Math.floor(world.now / 1_000) + 300) })
  const answer = await world.ask('/revocations', { token, address: '192.0.2.250' })
  return (await answer.json()).revocations.map(({ cid }: { cid: string }) => cid)
}

/** A relay with a message and a revocation. */
async function withSecrets() {
  const world = await makeRelay()
  const holder = mailboxHolder(world)
  const mailbox = await holder.did()
  await world.ask('/mailboxes', { method: 'POST', token: await own(holder, '/relay/mailbox/open') })
  const secret = message('what was sealed')
  await world.post('/mailboxes/message', { mailbox, message: secret })
  const { tokens, text } = chainOf([owner, app])
  const [target] = tokens as [Token]
  const revocation = revoke(owner, target)
  await postRevocation(world, revocation, text)
  return { world, holder, mailbox, secret, revocation, target }
}

describe('a stranger reads nothing', () => {
  it('at any path, by any method, with any token of their own', async () => {
    const { world, mailbox, secret, revocation, target } = await withSecrets()
    const stranger = mailboxHolder(world)
    const thief = person(9)
    const tokens = [
      undefined,
      'nonsense',
      revocation,
      await own(stranger, '/relay/mailbox/read'),
      await own(stranger, '/relay/mailbox/open'),
      reading(thief, thief, []),
      reading(thief, owner, []),
      reading(thief, owner, [delegation(owner, app, { cmd: '/' })]),
      reading(thief, owner, [delegation(thief, thief, { sub: owner.did, cmd: '/' })]),
    ]
    const paths = [
      '',
      '/',
      '/mailboxes',
      '/mailboxes/',
      `/mailboxes/${mailbox}`,
      '/mailboxes/message',
      '/mailboxes/read',
      '/revocations',
      `/revocations/${owner.did}`,
      `/revocations?subject=${owner.did}`,
      ...['/reports', '/reports/card', '/reports/read', '/notices', '/notices/read'],
      ...['/records', '/records/append', '/records/read', '/records/watch', `/records/${owner.did}`],
    ]
    const seen: string[] = []
    for (const token of tokens) {
      for (const path of paths) {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
          const hasBody = ['POST', 'PUT', 'PATCH'].includes(method)
          const body = JSON.stringify({ mailbox, message: message('another') })
          const answer = await world.ask(path, {
            method,
            ...(token === undefined ? {} : { token }),
            ...(hasBody ? { body } : {}),
          })
          seen.push(await answer.text(), JSON.stringify([...answer.headers]))
        }
      }
    }
    const all = seen.join('\n')
    for (const hidden of [secret, revocation, target.cid, mailbox, owner.did])
      expect(all).not.toContain(hidden)
  })

  it('by listening to their own feed', async () => {
    vi.useFakeTimers()
    const { world } = await withSecrets()
    const thief = person(9)
    const answer = await world.ask('/revocations', {
      token: reading(thief, thief, []),
      headers: { accept: 'text/event-stream' },
    })
    const reader = answer.body?.getReader()
    let heard = ''
    const listening = (async () => {
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
        heard += new TextDecoder().decode(read.value)
    })()
    const other = chainOf([owner, agent])
    await postRevocation(world, revoke(owner, other.tokens[0] as Token), other.text)
    await vi.advanceTimersByTimeAsync(POLL)
    await reader?.cancel()
    await listening
    expect(heard).toContain('event: alive')
    expect(heard).not.toContain('revocation')
  })

  it('about which mailboxes exist', async () => {
    const { world, mailbox } = await withSecrets()
    const stranger = mailboxHolder(world)
    const of = async (did: string) => {
      const token = await own(stranger, '/relay/mailbox/read')
      const asked = await world.ask('/mailboxes/read', {
        method: 'POST',
        token,
        body: JSON.stringify({ did }),
      })
      return [asked.status, await asked.json()]
    }
    const one = await of(mailbox)
    world.now += 10_000
    expect(await of('did:key:z6MkNobody')).toEqual(one)
  })
})

describe('a stranger fills no more than the bounds', () => {
  it('from one network', async () => {
    const world = await makeRelay({ rates: RATES })
    const ask = async (from: string) => {
      const token = await own(mailboxHolder(world), '/relay/mailbox/open')
      return (await world.ask('/mailboxes', { method: 'POST', token, address: from })).status
    }
    const statuses: number[] = []
    for (let at = 0; at < RATES.open.burst + 5; at += 1) statuses.push(await ask(`2001:db8::${at}`))
    expect(statuses.filter((status) => status === 201)).toHaveLength(RATES.open.burst)
    expect(statuses.at(-1)).toBe(429)
    expect(await ask('192.0.2.7')).toBe(201)
    // A minute later there are more.
    world.now += 60_000
    const later: number[] = []
    for (let at = 0; at < RATES.open.perMinute + 5; at += 1) later.push(await ask(`2001:db8::${at}`))
    expect(later.filter((status) => status === 201)).toHaveLength(RATES.open.perMinute)
  })

  it('takes no place of a listener with a HEAD, which gets no events', async () => {
    const world = await makeRelay({ mostListeners: 1, mostListenersEach: 1 })
    const paths = ['/revocations', '/records/watch'] as const
    for (const path of paths) {
      const cmd = path === '/revocations' ? '/relay/revocations/read' : '/relay/records/watch'
      const token = reading(owner, owner, [], { cmd })
      const headers = { accept: 'text/event-stream' }
      for (let time = 0; time < 3; time += 1) {
        const { status, headers: said } = await world.ask(path, { method: 'HEAD', token, headers })
        expect([status, said.get('content-type')]).toEqual([200, 'text/event-stream'])
      }
      const listening = await world.ask(path, { token, headers })
      expect(listening.status).toBe(200)
      await listening.body?.cancel()
    }
    expect(world.relay.listeners).toBe(0)
  })

  it('from many networks: mailboxes and messages are limited, and free again after ten minutes', async () => {
    const world = await makeRelay({ boundsOf: { mailboxes: 20, messageBytes: 1_000 } })
    const fill = async (from: string) => {
      const holder = mailboxHolder(world)
      const token = await own(holder, '/relay/mailbox/open')
      const opened = await world.ask('/mailboxes', { method: 'POST', token, address: from })
      if (opened.status !== 201) return [opened.status]
      const left = await world.post(
        '/mailboxes/message',
        { mailbox: await holder.did(), message: message('x'.repeat(100)) },
        from,
      )
      return [opened.status, left.status]
    }
    const answers: number[][] = []
    for (let at = 0; at < 30; at += 1) answers.push(await fill(address(at)))
    expect(answers.filter(([opened]) => opened === 201)).toHaveLength(20)
    expect(answers.filter(([, left]) => left === 204)).toHaveLength(10)
    world.now += 600_000
    expect(await fill('192.0.2.7')).toEqual([201, 204])
  })

  it("with revocations of their own grants, which don't affect reserved owners", async () => {
    const world = await makeRelay({ owners: [owner.did], boundsOf: { revocations: 5, ownRevocations: 3 } })
    const fill = async (by: Person) => {
      const { tokens, text } = chainOf(
        [by, app],
        [{ nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(12))) }],
      )
      return (await postRevocation(world, revoke(by, tokens[0] as Token), text)).status
    }
    const statuses: number[] = []
    for (let at = 0; at < 12; at += 1) statuses.push(await fill(person(20 + Math.floor(at / 6))))
    expect(statuses.filter((status) => status === 201)).toHaveLength(5)
    expect(statuses.slice(0, 6)).toEqual([201, 201, 201, 503, 503, 503])
    expect(await fill(owner)).toBe(201)
  })

  it("with listeners, which don't affect reserved owners", async () => {
    const world = await makeRelay({ owners: [owner.did], mostListeners: 5, mostListenersEach: 3 })
    const listen = (by: Person, from: string) =>
      world.ask('/revocations', {
        token: reading(by, by, []),
        headers: { accept: 'text/event-stream' },
        address: from,
      })
    const thief = person(9)
    const answers: Response[] = []
    for (let at = 0; at < 8; at += 1) answers.push(await listen(thief, at < 4 ? '198.51.100.1' : address(at)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200, 200, 503, 503])
    expect((await listen(owner, '198.51.100.1')).status).toBe(200)
    expect(world.relay.listeners).toBe(6)
    await answers[0]?.body?.cancel()
    expect((await listen(thief, '198.51.100.1')).status).toBe(200)
    await world.relay.close()
  })
})

describe('a stranger cannot silence a feed', () => {
  it('with invalid revocations', async () => {
    const { world, target } = await withSecrets()
    const thief = person(9)
    for (let at = 0; at < 30; at += 1) {
      const wrong = await postRevocation(world, revoke(thief, target), container([target]), address(at))
      expect(wrong.status).toBe(422)
    }
    expect(await feedOf(world)).toEqual([target.cid])
  })

  it('with valid revocations below their own grant', async () => {
    const world = await makeRelay({ owners: [owner.did], boundsOf: { revocationsPerGrantee: 60 } })
    const random = () => ({ nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(12))) })
    const granted = chainOf([owner, app, agent], [random(), random()])
    const [toApp, toAgent] = granted.tokens as [Token, Token]
    // The agent delegates to its own keys, at two depths, and revokes all of that.
    const helper = person(9)
    const statuses: number[] = []
    for (let at = 0; at < 12; at += 1) {
      const toHelper = delegation(agent, helper, { sub: owner.did, ...random() })
      const toLast = delegation(helper, person(10), { sub: owner.did, ...random() })
      const chain = [toApp, toAgent, toHelper, toLast]
      const [by, what] = at % 2 === 0 ? ([agent, toHelper] as const) : ([helper, toLast] as const)
      statuses.push((await postRevocation(world, revoke(by, what), container(chain))).status)
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(8)
    expect(statuses.at(-1)).toBe(503)
    // Those above the agent can still revoke.
    expect((await postRevocation(world, revoke(app, toAgent), granted.text)).status).toBe(201)
    expect((await postRevocation(world, revoke(owner, toApp), granted.text)).status).toBe(201)
    expect((await feedOf(world)).slice(-2)).toEqual([toAgent.cid, toApp.cid])
  })

  it('with many requests from one network', async () => {
    const world = await makeRelay({ rates: RATES })
    const statuses = new Set<number>()
    for (let at = 0; at < RATES.feed.burst + 10; at += 1)
      statuses.add((await world.ask('/revocations', { token: 'nonsense', address: '198.51.100.1' })).status)
    expect([...statuses]).toEqual([403, 429])
    expect((await world.ask('/revocations', { token: reading(owner, owner, []) })).status).toBe(200)
  })

  it('with tokens that take long to check', async () => {
    const inner = await sharedEnclave()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const enclave = {
      ...inner,
      call: async (...asked: Parameters<typeof inner.call>) => {
        await held
        return await inner.call(...asked)
      },
    } as Enclave
    const world = await makeRelay({ enclave })
    const ask = async (from: string) =>
      (await world.ask('/revocations', { token: reading(owner, owner, []), address: from })).status
    const own = Array.from({ length: 68 }, () => ask('198.51.100.1'))
    const others = [ask('192.0.2.1'), ask('192.0.2.2')]
    release()
    const statuses = await Promise.all(own)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    expect(await Promise.all(others)).toEqual([200, 200])
  })
})

it("checks times by the relay's clock", async () => {
  const world = await makeRelay()
  const late = reading(owner, owner, [], { exp: BigInt(START / 1_000 - 120) })
  expect((await world.ask('/revocations', { token: late })).status).toBe(403)
})
