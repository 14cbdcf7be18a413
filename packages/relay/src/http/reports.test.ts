import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import {
  container,
  delegation,
  invocation,
  type Person,
  person,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { AUDIENCE, closeSharedEnclave, makeRelay, revoke, START, type World } from '../test/relay.ts'

afterAll(closeSharedEnclave)

const [owner, gate, stranger, deputy] = [1, 2, 3, 4].map((seed) => person(seed)) as [
  Person,
  Person,
  Person,
  Person,
]
const KEY = Buffer.alloc(32, 7).toString('base64url')
const FOLLOW = '/relay/revocations/read'
const REPORT = `${FOLLOW}/report`

const permission = (from: Person, to: Person, changes = {}) =>
  delegation(from, to, { sub: owner.did, cmd: FOLLOW, ...changes })
const call = (by: Person, subject: Person, proofs: readonly Token[], cmd: string, args: object) =>
  container([
    ...proofs,
    invocation(by, subject, proofs, {
      cmd,
      args: new Map(Object.entries(args)),
      aud: AUDIENCE,
      exp: BigInt(START / 1_000 + 300),
    }),
  ])

const digest = (report: Buffer) => createHash('sha256').update(report).digest('base64url')

function actors(world: World) {
  const ask = async (path: string, token: string, body?: object) => {
    const init = { method: 'POST', token, ...(body && { body: JSON.stringify(body) }) }
    const answered = await world.ask(path, init)
    const text = await answered.text()
    return { status: answered.status, body: text === '' ? {} : JSON.parse(text) }
  }
  return {
    ask,
    read: (from: readonly string[], key = KEY, by = owner) =>
      ask('/reports/read', call(by, by, [], '/relay/reports/read', { key, from })),
    card: (by: Person, proofs: readonly Token[]) => ask('/reports/card', call(by, owner, proofs, REPORT, {})),
    send: (by: Person, proofs: readonly Token[], text: string, signed = digest(Buffer.from(text))) =>
      ask('/reports', call(by, owner, proofs, REPORT, { report: signed }), {
        report: Buffer.from(text).toString('base64url'),
      }),
  }
}

describe('reports', () => {
  it('reach the owner, the newest in place of the others', async () => {
    const { read, card, send } = actors(await makeRelay())
    const follow = [permission(owner, gate)]
    expect((await card(gate, follow)).status).toBe(404)
    expect((await send(gate, follow, 'too early')).status).toBe(404)
    expect((await read([gate.did])).body).toEqual({ reports: [] })
    expect((await card(gate, follow)).body.card).toMatch(/^C/)
    for (const text of ['one', 'two']) expect((await send(gate, follow, text)).status).toBe(204)
    const report = Buffer.from('two').toString('base64url')
    expect((await read([gate.did, stranger.did])).body).toEqual({ reports: [{ from: gate.did, report }] })
    expect((await read([gate.did])).body.reports).toHaveLength(1)
  })

  it('are not taken from strangers, nor read by them', async () => {
    const { read, card, send, ask } = actors(await makeRelay())
    await read([])
    const forged = [permission(stranger, gate)]
    const narrower = [permission(owner, gate, { cmd: '/mcp/tools/call' })]
    const follow = [permission(owner, gate)]
    for (const [by, proofs] of [
      [stranger, []],
      [gate, []],
      [gate, forged],
      [gate, narrower],
      [stranger, follow],
      [owner, []],
    ] as const) {
      expect((await send(by, proofs, 'x')).status).toBe(403)
      expect((await card(by, proofs)).status).toBe(403)
    }
    await send(gate, follow, 'real')
    // With a permission that was signed for another report, or for reading the feed.
    expect((await send(gate, follow, 'x', digest(Buffer.from('y')))).status).toBe(403)
    const feed = call(gate, owner, follow, FOLLOW, { report: digest(Buffer.from('x')) })
    expect((await ask('/reports', feed, { report: 'eA' })).status).toBe(403)
    // No one reads another's, not even with a grant of everything.
    const everything = [permission(owner, gate, { cmd: '/' })]
    const other = call(gate, owner, everything, '/relay/reports/read', { key: KEY, from: [gate.did] })
    expect((await ask('/reports/read', other)).status).toBe(403)
    expect((await read([gate.did], KEY, stranger)).body).toEqual({ reports: [] })
    expect((await read([gate.did])).body.reports).toHaveLength(1)
  })

  it('end with the permission', async () => {
    const world = await makeRelay()
    const { read, card, send } = actors(world)
    const grant = permission(owner, gate)
    await read([])
    expect((await send(gate, [grant], 'x')).status).toBe(204)
    const revocation = revoke(owner, grant)
    expect((await world.post('/revocations', { revocation, token: container([grant]) })).status).toBe(201)
    expect((await send(gate, [grant], 'y')).body).toEqual({ error: 'forbidden', rule: 'Revoked' })
    expect((await card(gate, [grant])).status).toBe(403)
  })

  it('of all who share a permission take one place', async () => {
    const { read, send } = actors(await makeRelay())
    await read([])
    const first = permission(owner, gate)
    await send(gate, [first], 'of the gate')
    expect((await send(deputy, [first, permission(gate, deputy)], 'of its deputy')).status).toBe(204)
    const report = Buffer.from('of its deputy').toString('base64url')
    expect((await read([gate.did, deputy.did])).body.reports).toEqual([{ from: gate.did, report }])
  })

  it('are bounded: each, for one owner, and in total; reserved owners have their own space', async () => {
    const boundsOf = { reportLength: 100, reportsPerOwner: 3, reportBytes: 10_000 }
    const senders = [10, 11, 12].map((seed) => person(seed))
    const small = actors(await makeRelay({ boundsOf }))
    await small.read([])
    expect((await small.send(gate, [permission(owner, gate)], 'x'.repeat(101))).status).toBe(413)
    const statuses: number[] = []
    for (const sender of senders)
      statuses.push((await small.send(sender, [permission(owner, sender)], 'x')).status)
    expect(statuses).toEqual([204, 204, 503])
    const none = { ...boundsOf, reportBytes: 0 }
    expect((await actors(await makeRelay({ boundsOf: none })).read([])).status).toBe(503)
    const reserved = actors(await makeRelay({ boundsOf: none, owners: [owner.did] }))
    expect((await reserved.read([])).status).toBe(200)
    expect((await reserved.send(gate, [permission(owner, gate)], 'x')).status).toBe(204)
  })

  it('of one network are limited', async () => {
    const world = await makeRelay({ rates: { ...(await import('./rates.ts')).RATES } })
    const { send, read } = actors(world)
    await read([])
    const follow = [permission(owner, gate)]
    const statuses: number[] = []
    for (let at = 0; at < 61; at += 1) statuses.push((await send(gate, follow, `${at}`)).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  it('and notices of one network take a share of the room, and no more of it if they replace others', async () => {
    const { RATES } = await import('./rates.ts')
    const rates = { ...RATES, room: { burst: 10, perMinute: 0.1 } }
    const world = await makeRelay({ rates, owners: [deputy.did] })
    const { read, send } = actors(world)
    const leave = (fill: number, address?: string) => {
      const [place, notice] = [32, 1_024].map((length) => Buffer.alloc(length, fill).toString('base64url'))
      return world.post('/notices', { place, notice }, address)
    }
    expect((await read([])).status).toBe(200)
    const follow = [permission(owner, gate)]
    // Six for the report, one for the card.
    for (const fill of ['x', 'y', 'z'])
      expect((await send(gate, follow, fill.repeat(6 * 1_024))).status).toBe(204)
    // Anyone can be an owner.
    for (const seed of [11, 12]) expect((await read([], KEY, person(seed))).status).toBe(200)
    expect((await leave(1)).status).toBe(204)
    expect((await leave(1)).status).toBe(204)
    expect((await leave(2)).status).toBe(429)
    expect((await read([], KEY, person(13))).status).toBe(429)
    expect((await send(gate, follow, 'x'.repeat(6 * 1_024 + 1))).status).toBe(429)
    // What is there goes on, and so do owners with reserved space and other networks.
    expect((await send(gate, follow, 'y'.repeat(6 * 1_024))).status).toBe(204)
    expect((await read([gate.did])).body.reports).toHaveLength(1)
    expect((await read([], KEY, deputy)).status).toBe(200)
    expect((await leave(2, '198.51.100.7')).status).toBe(204)
    // A shorter report makes room for others, and so does time.
    expect((await send(gate, follow, 'x'.repeat(5 * 1_024))).status).toBe(204)
    expect((await leave(3)).status).toBe(204)
    expect((await leave(4)).status).toBe(429)
    world.now += 600_000
    expect((await leave(4)).status).toBe(204)
    expect((await leave(5)).status).toBe(429)
  })

  it.each([
    ['no key', { from: [] }],
    ['a short key', { key: 'AAAA', from: [] }],
    ['no senders', { key: KEY }],
    ['a sender that is no DID', { key: KEY, from: ['x'] }],
    ['a long sender', { key: KEY, from: [`did:${'x'.repeat(300)}`] }],
    ['too many senders', { key: KEY, from: Array.from({ length: 17 }, () => gate.did) }],
  ])('are not read with %s', async (_, args) => {
    const { ask } = actors(await makeRelay())
    const read = await ask('/reports/read', call(owner, owner, [], '/relay/reports/read', args))
    expect(read).toMatchObject({ status: 400, body: { error: 'bad_request' } })
  })

  it("show the owner's newest key", async () => {
    const { read, card } = actors(await makeRelay())
    const follow = [permission(owner, gate)]
    await read([])
    const before = (await card(gate, follow)).body.card
    await read([])
    expect((await card(gate, follow)).body.card).toBe(before)
    await read([], Buffer.alloc(32, 8).toString('base64url'))
    expect((await card(gate, follow)).body.card).not.toBe(before)
  })
})
