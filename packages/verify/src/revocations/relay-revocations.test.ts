// The feed with the real relay on a real socket, and with relays that lie.
import type { RequestListener, ServerResponse } from 'node:http'
import { createHolder, memoryStore } from '@keyhole/holder'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  callUnder,
  closeSharedEnclave,
  container,
  delegation,
  friend,
  invocation,
  makeVerifier,
  NOW,
  owner,
  type Person,
  person,
  revocationText,
  stranger,
  type Token,
} from '../test/calls.ts'
import { listen, listener, type RelayServer, startRelay } from '../test/relay-server.ts'
import { type Feed, relayRevocations } from './relay-revocations.ts'

afterAll(closeSharedEnclave)

const ended: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

/** A feed with clocks that only the test moves. */
function begin(relay: string, options = {}) {
  const times = { wall: NOW * 1_000, monotonic: 0 }
  const errors: unknown[] = []
  const feed = relayRevocations({
    relay,
    owner: owner.did,
    holder: listener,
    clocks: [() => times.wall, () => times.monotonic],
    onError: (error) => errors.push(error),
    ...options,
  })
  ended.push(() => feed.close())
  const pass = (seconds: number) => {
    times.wall += seconds * 1_000
    times.monotonic += seconds * 1_000
  }
  return { feed, times, pass, errors }
}

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 5 })
const unknown = expect.objectContaining({ code: 'REVOCATIONS_UNKNOWN' })
const chainOf = (cids: readonly string[]) => cids.map((cid) => ({ cid, issuer: owner.did }))
const find = (feed: Feed, ...cids: string[]) => feed.find(owner.did, chainOf(cids))

describe('the feed of a relay', () => {
  let relay: RelayServer
  beforeEach(async () => {
    relay = await startRelay()
    ended.push(() => relay.close())
  })

  it('ends a grant at every service that listens', async () => {
    const [one, two] = [begin(relay.url), begin(relay.url)]
    await Promise.all([one.feed.ready, two.feed.ready])
    const verifiers = await Promise.all([one, two].map(({ feed }) => makeVerifier({ revocations: feed })))
    const grant = delegation(owner, friend)
    for (const verifier of verifiers) expect((await verifier.check(callUnder(grant))).authorized).toBe(true)
    expect((await relay.post(grant)).status).toBe(201)
    for (const verifier of verifiers)
      await eventually(async () =>
        expect(await verifier.check(callUnder(grant))).toMatchObject({ refusal: { name: 'Revoked' } }),
      )
    expect((await verifiers[0]?.check(callUnder(delegation(owner, friend))))?.authorized).toBe(true)
  })

  it('is not drowned by those who may not revoke', async () => {
    const { feed } = begin(relay.url)
    await feed.ready
    const [given, passedOn] = [delegation(owner, friend), delegation(friend, stranger, { sub: owner.did })]
    const post = (by: Person, chain: readonly Token[]) => {
      const body = JSON.stringify({ revocation: revocationText(by, passedOn), token: container(chain) })
      return fetch(`${relay.url}/revocations`, { method: 'POST', body })
    }
    const chain = [
      { cid: given.cid, issuer: owner.did },
      { cid: passedOn.cid, issuer: friend.did },
    ]
    for (const other of [4, 5, 6].map(person)) {
      const others = [delegation(owner, other), delegation(other, friend, { sub: owner.did }), passedOn]
      expect((await post(other, others)).status).toBe(201)
    }
    expect((await post(friend, [given, passedOn])).status).toBe(201)
    await eventually(() => expect(feed.find(owner.did, chain)).toEqual([revocationText(friend, passedOn)]))
  })

  it('has what was revoked before it connected, and while it was cut off', async () => {
    const [before, during] = [delegation(owner, friend), delegation(owner, friend)]
    await relay.post(before)
    const { feed, errors } = begin(relay.url)
    await feed.ready
    expect(find(feed, before.cid)).toEqual([revocationText(owner, before)])
    relay.cut()
    await relay.post(during)
    await eventually(() => expect(find(feed, during.cid)).toHaveLength(1))
    expect(find(feed, before.cid)).toHaveLength(1)
    expect(errors.length).toBeLessThan(5)
  })

  it('is unknown before it has been read', () => {
    expect(() => find(begin(relay.url).feed, 'x')).toThrow(unknown)
  })

  it('is unknown beyond its freshness, by either clock, and after it was closed', async () => {
    const { feed, times, pass } = begin(relay.url, { freshness: 30 })
    await feed.ready
    pass(30)
    expect(find(feed, 'x')).toEqual([])
    times.wall += 1_000
    expect(() => find(feed, 'x')).toThrow(unknown)
    times.wall -= 1_000
    times.monotonic += 1_000
    expect(() => find(feed, 'x')).toThrow(unknown)
    times.monotonic -= 1_000
    times.wall = 0
    expect(() => find(feed, 'x')).toThrow(unknown)
    times.wall = NOW * 1_000
    expect(find(feed, 'x')).toEqual([])
    feed.close()
    expect(() => find(feed, 'x')).toThrow(unknown)
  })

  it('is unknown for another owner', async () => {
    const { feed } = begin(relay.url)
    await feed.ready
    expect(() => feed.find(stranger.did, chainOf(['x']))).toThrow(unknown)
  })

  it("is not read without the owner's grant, and says why", async () => {
    const holder = {
      invoke: async (command: string, _: object, { audience }: { audience: string }) => ({
        token: container([
          invocation(stranger, stranger, [], { cmd: command, aud: audience, exp: BigInt(NOW + 60) }),
        ]),
      }),
    }
    const { feed, errors } = begin(relay.url, { holder, owner: stranger.did })
    await feed.ready
    const others = begin(relay.url, { holder: createHolder({ store: memoryStore() }) })
    await eventually(() => expect(others.errors.length).toBeGreaterThan(0))
    expect(() => find(others.feed, 'x')).toThrow(unknown)
    expect(errors).toEqual([])
  })

  it('is unknown if the store of the relay fails for too long', async () => {
    relay.isBroken = true
    const { feed } = begin(relay.url)
    await eventually(() => expect(relay.listeners).toBe(1))
    expect(() => find(feed, 'x')).toThrow(unknown)
    relay.isBroken = false
    relay.cut()
    await feed.ready
    expect(find(feed, 'x')).toEqual([])
  })
})

describe('a relay that lies', () => {
  /** A relay that sends these bytes to every listener. */
  async function lying(send: (response: ServerResponse) => void): Promise<string> {
    const answer: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      send(response)
    }
    const { url, close } = await listen(answer)
    ended.push(close)
    return url
  }
  const ALIVE = 'event: alive\ndata: {"now":1}\n\n'
  const aliveAt = (now: number) => `event: alive\ndata: ${JSON.stringify({ now })}\n\n`
  const revocationEvent = (cid: string, revocation: string) =>
    `id: 1\nevent: revocation\ndata: ${JSON.stringify({ cid, revocation, until: null })}\n\n`

  it.each([
    ['a revocation by a stranger', (grant: string, forged: string) => revocationEvent(grant, forged), true],
    ['an unreadable revocation', (grant: string) => revocationEvent(grant, 'junk'), false],
  ])('cannot forge a revocation with %s', async (_, event, isAuthorized) => {
    const grant = delegation(owner, friend)
    const url = await lying((response) =>
      response.write(event(grant.cid, revocationText(stranger, grant)) + ALIVE),
    )
    const { feed } = begin(url)
    await feed.ready
    const verifier = await makeVerifier({ revocations: feed })
    const checked = verifier.check(callUnder(grant))
    if (isAuthorized) expect(await checked).toMatchObject({ authorized: true })
    else await expect(checked).rejects.toMatchObject({ code: 'REVOCATIONS_UNKNOWN' })
    expect(await verifier.check(callUnder(delegation(owner, friend)))).toMatchObject({ authorized: true })
  })

  it.each([
    ['invalid JSON', 'event: revocation\ndata: {\n\n'],
    ['something other than text', 'event: revocation\ndata: {"cid": 1, "revocation": []}\n\n'],
    ['null', 'event: revocation\ndata: null\n\n'],
    ['an endless line', 'x'.repeat(300 * 1_024)],
    ['an endless event', 'data: x\n'.repeat(50_000)],
    ['a revocation that is too long', revocationEvent('bafy', 'C'.repeat(20_000))],
  ])('is disconnected when it sends %s, before it says that it is alive', async (_, sent) => {
    let connections = 0
    const url = await lying((response) => {
      connections += 1
      response.write(sent + ALIVE)
    })
    const { feed, errors } = begin(url)
    await eventually(() => expect(connections).toBeGreaterThan(1))
    expect(errors.length).toBeGreaterThan(0)
    expect(() => find(feed, 'x')).toThrow(unknown)
  })

  it('is not fresh for longer because what it sent arrives late', async () => {
    const sending: ServerResponse[] = []
    const url = await lying((response) => {
      sending.push(response)
      if (sending.length === 1) response.write(aliveAt(NOW))
    })
    const { feed, pass } = begin(url, { freshness: 40 })
    await feed.ready
    const revocations = [1, 2].map(() => delegation(owner, friend))
    const arrive = async (at: number, now: number) => {
      const { cid } = revocations[at] as Token
      sending[0]?.write(aliveAt(now) + revocationEvent(cid, 'x'))
      await eventually(() => expect(find(feed, cid)).toHaveLength(1))
    }
    pass(10)
    await arrive(0, NOW + 10)
    pass(15)
    // Sent five seconds ago.
    await arrive(1, NOW + 20)
    pass(35)
    expect(find(feed, 'x')).toEqual([])
    pass(1)
    expect(() => find(feed, 'x')).toThrow(unknown)
  })

  it.each([
    ['arrives much later than before', 0, 20],
    ['has a clock that was set back', -3_600, 0],
  ])('is asked again on another connection if what it sends %s', async (_, relayJump, delay) => {
    let connections = 0
    let send = (_now: number) => {}
    const url = await lying((response) => {
      connections += 1
      send = (now) => void response.write(aliveAt(now))
      send(NOW + (connections - 1) * (10 + relayJump))
    })
    const { feed, pass, errors } = begin(url, { freshness: 40 })
    await feed.ready
    pass(10 + delay)
    send(NOW + 10 + relayJump)
    await eventually(() => expect(connections).toBe(2))
    expect(String(errors[0])).toContain('late')
    pass(10)
    await eventually(() => expect(find(feed, 'x')).toEqual([]))
  })

  it('is fresh for as long as by arrival at most, if its clock is set forward', async () => {
    let send = (_text: string) => {}
    const url = await lying((response) => {
      send = (text) => void response.write(text)
      send(aliveAt(NOW))
    })
    const { feed, pass } = begin(url, { freshness: 40 })
    await feed.ready
    const { cid } = delegation(owner, friend)
    send(aliveAt(NOW + 3_600) + revocationEvent(cid, 'x'))
    await eventually(() => expect(find(feed, cid)).toHaveLength(1))
    pass(41)
    expect(() => find(feed, 'x')).toThrow(unknown)
  })

  it('cannot undo anything with a reset', async () => {
    const grant = delegation(owner, friend)
    const url = await lying((response) =>
      response.write(
        `${revocationEvent(grant.cid, revocationText(owner, grant))}event: reset\ndata: {}\n\n${ALIVE}`,
      ),
    )
    const { feed } = begin(url)
    await feed.ready
    expect(find(feed, grant.cid)).toHaveLength(1)
  })

  it.each([
    ['another status', 500, {}],
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }],
  ])('with %s is asked again, and not believed', async (_, status, headers) => {
    let asked = 0
    const { url, close } = await listen((_request, response) => {
      asked += 1
      response.writeHead(status, headers).end(ALIVE)
    })
    ended.push(close)
    const { feed } = begin(url)
    await eventually(() => expect(asked).toBeGreaterThan(2))
    expect(() => find(feed, 'x')).toThrow(unknown)
  })

  it.each(['☃', 'é x', 'x'.repeat(2_000)])(
    'is not asked with an id that can’t be sent back (%#)',
    async (id) => {
      const asked: unknown[] = []
      const { url, close } = await listen(({ headers }, response) => {
        asked.push(headers['last-event-id'])
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const event = 'event: revocation\ndata: {"cid":"a","revocation":"C"}\n\n'
        response.write(`${asked.length === 1 ? `id: ${id}\n${event}` : ''}${ALIVE}`)
      })
      ended.push(close)
      const { feed } = begin(url)
      await feed.ready
      expect(asked).toEqual([undefined, undefined])
    },
  )

  it('is disconnected if it is silent for longer than the freshness, and asked again', async () => {
    let asked = 0
    const url = await lying((response) => {
      asked += 1
      response.write('retry: 1000\n\n')
    })
    begin(url, { freshness: 1 })
    await eventually(() => expect(asked).toBeGreaterThan(1))
  })
})
