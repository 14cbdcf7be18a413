import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  base58,
  container,
  delegation,
  invocation,
  type Person,
  person,
  type Token,
  tokenOf,
  tokensIn,
} from '../../../enclave/src/test/naive-tokens.ts'
import { POLL, RETRY } from '../feed/listeners.ts'
import { Hints } from '../stores/hints.ts'
import { memoryStore } from '../stores/memory-store.ts'
import { StoreError } from '../stores/store.ts'
import { chainOf, closeSharedEnclave, makeRelay, reading, revoke, START, type World } from '../test/relay.ts'

afterAll(closeSharedEnclave)
afterEach(() => {
  vi.useRealTimers()
})

const [owner, app, agent, stranger] = [1, 2, 3, 4].map(person) as [Person, Person, Person, Person]
const NOW = BigInt(START / 1_000)

const post = (world: World, revocation: string, token: string) =>
  world.post('/revocations', { revocation, token })
const snapshot = (world: World, token: string, headers: HeadersInit = {}) =>
  world.ask('/revocations', { token, headers })
const cidsOf = async (response: Response) =>
  (await response.json()).revocations.map(({ cid }: { cid: string }) => cid)

describe('a revocation', () => {
  it("by any issuer of the chain is added to the owner's feed", async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app, agent])
    const [first, second] = tokens as [(typeof tokens)[0], (typeof tokens)[0]]
    expect((await post(world, revoke(app, second), text)).status).toBe(201)
    expect((await post(world, revoke(owner, first), container([first]))).status).toBe(201)
    expect(await cidsOf(await snapshot(world, reading(owner, owner, [])))).toEqual([second.cid, first.cid])
  })

  it('that names the delegation by a text counts, in base32 and in base58btc', async () => {
    const { tokens, text } = chainOf([owner, app])
    const [target] = tokens as [Token]
    for (const named of [target.cid, `z${base58(Buffer.from(target.link.bytes))}`]) {
      const world = await makeRelay()
      const revocation = revoke(owner, target, { args: new Map([['revoke', named]]) })
      expect((await post(world, revocation, text)).status).toBe(201)
      expect(await cidsOf(await snapshot(world, reading(owner, owner, [])))).toEqual([target.cid])
    }
  })

  it('is added once, and a repetition is answered 200', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app])
    const token = revoke(owner, tokens[0] as never)
    expect((await post(world, token, text)).status).toBe(201)
    expect((await post(world, token, text)).status).toBe(200)
    expect(await cidsOf(await snapshot(world, reading(owner, owner, [])))).toHaveLength(1)
  })

  it('by someone with another chain to the delegation stands in for no other', async () => {
    const world = await makeRelay()
    const { tokens } = chainOf([owner, app, agent])
    const [wide, passedOn] = tokens as [Token, Token]
    // Who received it has a grant of their own, and passes that on to the one who issued it.
    const back = chainOf([owner, agent, app]).tokens
    expect((await post(world, revoke(agent, passedOn), container([...back, passedOn]))).status).toBe(201)
    expect((await post(world, revoke(app, passedOn), container([wide, passedOn]))).status).toBe(201)
    expect((await post(world, revoke(owner, passedOn), container([wide, passedOn]))).status).toBe(201)
    const feed = await snapshot(world, reading(owner, owner, []))
    expect((await feed.json()).revocations.map(({ by }: { by: string[] }) => by)).toEqual([
      [agent.did],
      [app.did],
      [owner.did],
    ])
  })

  it('by a delegate for revocations is added', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app])
    const [target] = tokens as [(typeof tokens)[0]]
    const permission = delegation(owner, stranger, {
      cmd: '/ucan/revoke',
      pol: [['==', '.revoke', target.link]],
    })
    const args = new Map([['revoke', target.link]])
    const revocation = invocation(stranger, owner, [permission], {
      cmd: '/ucan/revoke',
      args,
      nonce: Buffer.alloc(0),
    })
    expect((await post(world, container([permission, revocation]), text)).status).toBe(201)
  })

  it('of a delegation with a field that can not be passed on in JSON is added', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app], [{ meta: new Map([['/', 'x']]), nbf: NOW + 10_000n }])
    expect((await post(world, revoke(owner, tokens[0] as never), text)).status).toBe(201)
    expect(await cidsOf(await snapshot(world, reading(owner, owner, [])))).toEqual([tokens[0]?.cid])
  })

  it('of delegations that start one after another, or one before another, is added', async () => {
    for (const order of [1n, -1n]) {
      const world = await makeRelay()
      const starts = [2n, 3n, 4n].map((at) => ({ nbf: NOW + 100_000n + at * order * 10_000n }))
      const { tokens, text } = chainOf([owner, app, agent, stranger], starts)
      expect((await post(world, revoke(owner, tokens[2] as never), text)).status).toBe(201)
    }
  })

  it('of a delegation that starts later is added', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app], [{ nbf: NOW + 10_000n, exp: NOW + 20_000n }])
    expect((await post(world, revoke(owner, tokens[0] as never), text)).status).toBe(201)
  })

  const { tokens: links, text: whole } = chainOf([owner, app, agent])
  const [root, leaf] = links as [(typeof links)[0], (typeof links)[0]]
  /** The token with another signature. */
  const forged = ({ bytes }: Token) => {
    const changed = Buffer.from(bytes)
    changed[20] = (changed[20] ?? 0) ^ 1
    return tokenOf(changed)
  }
  it.each([
    ['by a stranger', revoke(stranger, leaf), whole, 'NotRevoked'],
    ['by the audience', revoke(agent, leaf), whole, 'NotRevoked'],
    ['by a later issuer', revoke(app, root), whole, 'NotRevoked'],
    ['that is forged', container(tokensIn(revoke(owner, root)).map(forged)), whole, 'NotRevoked'],
    ['without the delegation', revoke(owner, delegation(owner, stranger)), whole, 'UnavailableProof'],
    ['without all proofs of the delegation', revoke(app, leaf), container([leaf]), 'InvalidSubject'],
    ['of a forged delegation', revoke(owner, forged(root)), container([forged(root)]), 'InvalidSignature'],
    [
      'of an expired delegation',
      revoke(owner, delegation(owner, app, { exp: NOW - 100n, nonce: Buffer.alloc(3) })),
      container([delegation(owner, app, { exp: NOW - 100n, nonce: Buffer.alloc(3) })]),
      'Expired',
    ],
    ['that is another invocation', reading(owner, owner, []), whole, 'InvalidCommand'],
    ['that is a delegation', whole, whole, 'InvalidCommand'],
    [
      'that is two invocations',
      container([invocation(owner, owner, []), invocation(owner, owner, [])]),
      whole,
      'InvalidCommand',
    ],
    ['that is not a token', 'nothing', whole, 'MalformedToken'],
    ['without a token', revoke(owner, root), 'nothing', 'MalformedToken'],
  ])('%s is refused', async (_name, revocation, token, rule) => {
    const world = await makeRelay()
    const refused = await post(world, revocation, token)
    expect([refused.status, await refused.json()]).toEqual([422, { error: 'not_a_revocation', rule }])
    expect(await cidsOf(await snapshot(world, reading(owner, owner, [])))).toEqual([])
  })

  it('is deleted an hour after the delegation has expired, not before', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app], [{ exp: NOW + 60n }])
    await post(world, revoke(owner, tokens[0] as never), text)
    const feed = async () =>
      cidsOf(
        await snapshot(
          world,
          reading(owner, owner, [], { exp: BigInt(Math.floor(world.now / 1_000)) + 60n }),
        ),
      )
    for (const [seconds, count] of [
      [60 + 3_599, 1],
      [60 + 3_601, 0],
    ] as const) {
      world.now = START + seconds * 1_000
      await world.store.deleteExpired(world.now)
      expect(await feed()).toHaveLength(count)
    }
  })

  it.each([
    ['invalid JSON', 'x', 400],
    ['no token', JSON.stringify({ revocation: 'C' }), 400],
    ['another field', JSON.stringify({ revocation: 'C', token: 'C', x: 1 }), 400],
    ['a revocation that is too long', JSON.stringify({ revocation: 'C'.repeat(17_000), token: 'C' }), 413],
    ['a much too long body', 'x'.repeat(200_000), 413],
  ])('with %s is refused unread', async (_name, body, status) => {
    const world = await makeRelay()
    expect((await world.ask('/revocations', { method: 'POST', body })).status).toBe(status)
  })
})

describe('a feed', () => {
  it('can be read by its owner and their delegates', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app])
    await post(world, revoke(owner, tokens[0] as never), text)
    const permission = delegation(owner, agent, { cmd: '/relay/revocations/read' })
    for (const token of [reading(owner, owner, []), reading(agent, owner, [permission])])
      expect(await cidsOf(await snapshot(world, token))).toEqual([tokens[0]?.cid])
    expect(await cidsOf(await snapshot(world, reading(stranger, stranger, [])))).toEqual([])
  })

  it("can't be read by anyone else", async () => {
    const world = await makeRelay()
    const wide = delegation(owner, agent, { cmd: '/' })
    const other = delegation(owner, agent, { cmd: '/msg' })
    expect((await world.ask('/revocations')).status).toBe(401)
    for (const [token, rule] of [
      [reading(stranger, owner, []), 'InvalidClaim'],
      [reading(stranger, owner, [wide]), 'InvalidAudience'],
      [reading(agent, owner, [other]), 'InvalidCommand'],
      [reading(agent, owner, [wide], { aud: 'did:web:evil.example' }), 'InvalidAudience'],
      [reading(agent, owner, [wide], { exp: NOW - 100n }), 'Expired'],
      [reading(agent, owner, [wide], { cmd: '/relay/revocations' }), 'InvalidCommand'],
    ] as const) {
      const refused = await snapshot(world, token)
      expect([refused.status, (await refused.json()).rule]).toEqual([403, rule])
    }
    // A grant of everything includes it.
    expect((await snapshot(world, reading(agent, owner, [wide]))).status).toBe(200)
  })

  it("can't be read with a revoked permission", async () => {
    const world = await makeRelay()
    const permission = delegation(owner, agent, { cmd: '/relay/revocations/read' })
    expect((await snapshot(world, reading(agent, owner, [permission]))).status).toBe(200)
    await post(world, revoke(owner, permission), container([permission]))
    const refused = await snapshot(world, reading(agent, owner, [permission]))
    expect([refused.status, await refused.json()]).toEqual([403, { error: 'forbidden', rule: 'Revoked' }])
  })

  it('can be read though someone with another chain revoked the permission', async () => {
    const world = await makeRelay()
    const may = { cmd: '/relay/revocations/read' }
    const { tokens } = chainOf([owner, app, agent], [may, may])
    const [given, passedOn] = tokens as [Token, Token]
    const others = chainOf([owner, stranger, app], [may, may]).tokens
    const permitted = reading(agent, owner, [given, passedOn])
    const listener = await listen(world, permitted)
    const forged = await post(world, revoke(stranger, passedOn), container([...others, passedOn]))
    expect(forged.status).toBe(201)
    await vi.waitFor(() => expect(told(listener)).toHaveLength(1))
    expect((await snapshot(world, permitted)).status).toBe(200)
    expect(listener.isOver()).toBe(false)
    await post(world, revoke(app, passedOn), container([given, passedOn]))
    await vi.waitFor(() => expect(listener.isOver()).toBe(true))
    expect((await snapshot(world, permitted)).status).toBe(403)
  })

  it('is not sent again if its ETag matches', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app, agent])
    const token = reading(owner, owner, [])
    const first = await snapshot(world, token)
    const etag = first.headers.get('etag') ?? ''
    expect((await snapshot(world, token, { 'if-none-match': etag })).status).toBe(304)
    await post(world, revoke(owner, tokens[0] as never), text)
    const second = await snapshot(world, token, { 'if-none-match': etag })
    expect(second.status).toBe(200)
    expect(second.headers.get('etag')).not.toBe(etag)
  })
})

/** Connects a listener and collects its events. */
async function listen(world: World, token: string, headers: Record<string, string> = {}) {
  const response = await world.ask('/revocations', {
    token,
    headers: { accept: 'text/event-stream', ...headers },
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream() as never).getReader() as
    | ReadableStreamDefaultReader<string>
    | undefined
  let heard = ''
  let isOver = false
  const reading = (async () => {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) heard += read.value
    isOver = true
  })()
  return {
    response,
    events: () =>
      heard
        .split('\n\n')
        .filter((part) => part.includes('event:'))
        .map((part) => {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1]
          return { event: field('event'), id: field('id'), data: JSON.parse(field('data') ?? 'null') }
        }),
    isOver: () => isOver,
    stop: async () => {
      await reader?.cancel()
      await reading
    },
  }
}

/** The events of a listener that say more than that the relay is alive. */
const told = (listener: Awaited<ReturnType<typeof listen>>) =>
  listener.events().filter(({ event }) => event !== 'alive')

describe('a listener', () => {
  it('gets the feed, then each new revocation', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app, agent])
    const [root, leaf] = tokens as [(typeof tokens)[0], (typeof tokens)[0]]
    await post(world, revoke(app, leaf), text)
    const listener = await listen(world, reading(owner, owner, []))
    expect(listener.response.headers.get('content-type')).toBe('text/event-stream')
    await vi.waitFor(() =>
      expect(told(listener)).toMatchObject([{ event: 'revocation', data: { cid: leaf.cid } }]),
    )
    expect(told(listener)[0]?.data).toEqual({
      cid: leaf.cid,
      by: [app.did],
      revocation: revoke(app, leaf),
      until: null,
    })
    await post(world, revoke(owner, root), container([root]))
    await vi.waitFor(() => expect(told(listener).map(({ data }) => data.cid)).toEqual([leaf.cid, root.cid]))
    // Another owner's revocation is not sent.
    const others = chainOf([stranger, app])
    await post(world, revoke(stranger, others.tokens[0] as never), others.text)
    await listener.stop()
    expect(told(listener)).toHaveLength(2)
    expect(world.relay.listeners).toBe(0)
  })

  it('resumes after its last event, and starts over if that is unknown', async () => {
    const world = await makeRelay()
    const { tokens, text } = chainOf([owner, app, agent])
    const [root, leaf] = tokens as [(typeof tokens)[0], (typeof tokens)[0]]
    await post(world, revoke(app, leaf), text)
    const before = await listen(world, reading(owner, owner, []))
    await vi.waitFor(() => expect(told(before)).toHaveLength(1))
    const id = told(before)[0]?.id ?? ''
    await before.stop()
    await post(world, revoke(owner, root), container([root]))
    const after = await listen(world, reading(owner, owner, []), { 'last-event-id': id })
    await vi.waitFor(() => expect(told(after).map(({ data }) => data.cid)).toEqual([root.cid]))
    await after.stop()
    const ahead = id.replace(/\d+$/, '99')
    for (const other of ['another-store.7', ahead, 'nonsense']) {
      const restarted = await listen(world, reading(owner, owner, []), { 'last-event-id': other })
      await vi.waitFor(() =>
        expect(told(restarted).map(({ event }) => event)).toEqual(['reset', 'revocation', 'revocation']),
      )
      await restarted.stop()
    }
  })

  it('misses nothing if it joins during a read of a long feed', async () => {
    // Each read waits until it is released, so that others join meanwhile.
    const inner = memoryStore()
    const held: (() => void)[] = []
    const store = {
      ...inner,
      async revocationsSince(subject: string, seq: number, most: number) {
        await new Promise<void>((resolve) => held.push(resolve))
        return await inner.revocationsSince(subject, seq, most)
      },
    }
    const world = await makeRelay({ store })
    const epoch = await store.epoch()
    const add = (at: number) =>
      inner.addRevocation({
        subject: owner.did,
        quota: undefined,
        id: `${at}`,
        by: [owner.did],
        cid: `bafy${at}`,
        revocation: 'C'.repeat(at % 7 === 0 ? 5_000 : 10),
        until: null,
        isReserved: false,
      })
    for (let at = 1; at <= 80; at += 1) await add(at)
    const listeners: Awaited<ReturnType<typeof listen>>[] = []
    const releaseReads = async () => {
      for (const go of held.splice(0)) go()
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const place of ['', `${epoch}.79`, `${epoch}.3`, `${epoch}.50`, '', `${epoch}.80`]) {
      listeners.push(await listen(world, reading(owner, owner, []), { 'last-event-id': place }))
      await releaseReads()
    }
    await add(81)
    const all = Array.from({ length: 81 }, (_, at) => `bafy${at + 1}`)
    await vi.waitFor(async () => {
      await releaseReads()
      expect(listeners.map((listener) => told(listener).map(({ data }) => data.cid))).toEqual([
        all,
        all.slice(79),
        all.slice(3),
        all.slice(50),
        all,
        all.slice(80),
      ])
    })
    for (const listener of listeners) await listener.stop()
  })

  it('gets alive events only while the store can be read, and soon after it is back', async () => {
    vi.useFakeTimers()
    let fails = false
    const inner = memoryStore()
    const store = {
      ...inner,
      revocationsSince: async (subject: string, seq: number, most: number) => {
        if (fails) throw new StoreError('No disk.')
        return await inner.revocationsSince(subject, seq, most)
      },
    }
    const world = await makeRelay({ store })
    const listener = await listen(world, reading(owner, owner, []))
    const alive = { event: 'alive', id: undefined, data: { now: START / 1_000 } }
    await vi.waitFor(() => expect(listener.events()).toEqual([alive]))
    await vi.advanceTimersByTimeAsync(POLL)
    expect(listener.events()).toEqual([alive, alive])
    fails = true
    const late = await listen(world, reading(owner, owner, []))
    await vi.advanceTimersByTimeAsync(3 * POLL)
    expect(listener.events()).toHaveLength(2)
    expect(late.events()).toEqual([])
    expect(world.errors).toHaveLength(1)
    fails = false
    await vi.advanceTimersByTimeAsync(RETRY)
    expect(listener.events()).toHaveLength(3)
    expect(late.events()).toEqual([alive])
    await vi.advanceTimersByTimeAsync(POLL)
    expect(late.events()).toEqual([alive, alive])
    await listener.stop()
    await late.stop()
  })

  it('gets revocations without a hint at the next poll', async () => {
    vi.useFakeTimers()
    const inner = memoryStore()
    const world = await makeRelay({ store: { ...inner, watch: () => () => {} } })
    const listener = await listen(world, reading(owner, owner, []))
    const { tokens } = chainOf([owner, app])
    const [root] = tokens as [(typeof tokens)[0]]
    await inner.addRevocation({
      subject: owner.did,
      quota: undefined,
      id: root.cid,
      by: [owner.did],
      cid: root.cid,
      revocation: 'C',
      until: null,
      isReserved: false,
    })
    await vi.advanceTimersByTimeAsync(POLL)
    expect(listener.events().map(({ event }) => event)).toEqual(['alive', 'revocation', 'alive'])
    await listener.stop()
  })

  it('gets revocations at once if the store may have missed a hint', async () => {
    const [inner, hints] = [memoryStore(), new Hints()]
    const world = await makeRelay({ store: { ...inner, watch: (changed) => hints.watch(changed) } })
    const listener = await listen(world, reading(owner, owner, []))
    const { tokens } = chainOf([owner, app])
    const [root] = tokens as [(typeof tokens)[0]]
    const revocation = { cid: root.cid, revocation: 'C', until: null, isReserved: false }
    await inner.addRevocation({
      ...revocation,
      ...{ subject: owner.did, quota: undefined, id: root.cid, by: [owner.did] },
    })
    hints.emit({ missed: true })
    await vi.waitFor(() => expect(told(listener).map(({ event }) => event)).toEqual(['revocation']))
    await listener.stop()
  })

  it('is disconnected when its own permission is revoked', async () => {
    const world = await makeRelay()
    const permission = delegation(owner, agent, { cmd: '/relay/revocations/read' })
    const listener = await listen(world, reading(agent, owner, [permission]))
    await post(world, revoke(owner, permission), container([permission]))
    await vi.waitFor(() => expect(listener.isOver()).toBe(true))
    expect(told(listener).map(({ data }) => data.cid)).toEqual([permission.cid])
    expect(world.relay.listeners).toBe(0)
  })

  it('is disconnected after half an hour, and when the relay closes', async () => {
    vi.useFakeTimers()
    const world = await makeRelay()
    const [one, two] = [
      await listen(world, reading(owner, owner, [])),
      await listen(world, reading(owner, owner, [])),
    ]
    await vi.advanceTimersByTimeAsync(30 * 60_000)
    expect([one.isOver(), two.isOver()]).toEqual([true, true])
    const three = await listen(world, reading(owner, owner, []))
    await world.relay.close()
    await vi.waitFor(() => expect(three.isOver()).toBe(true))
  })

  it('that reads nothing is disconnected, and does not delay others', async () => {
    vi.useFakeTimers()
    const world = await makeRelay()
    const silent = await world.ask('/revocations', {
      token: reading(owner, owner, []),
      headers: { accept: 'text/event-stream' },
    })
    const listener = await listen(world, reading(owner, owner, []))
    for (let at = 0; at < 40; at += 1) {
      await world.store.addRevocation({
        subject: owner.did,
        quota: undefined,
        id: `${at}`,
        by: [owner.did],
        cid: `bafy${at}`,
        revocation: 'C'.repeat(4_000),
        until: null,
        isReserved: false,
      })
    }
    await vi.advanceTimersByTimeAsync(4 * POLL)
    expect(listener.events().filter(({ event }) => event === 'revocation')).toHaveLength(40)
    expect(world.relay.listeners).toBe(1)
    // Its buffer is discarded.
    await expect(silent.body?.getReader().read()).rejects.toThrow()
    await listener.stop()
  })
})
