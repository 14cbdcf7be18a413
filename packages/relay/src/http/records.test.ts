import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  container,
  delegation,
  invocation,
  type Person,
  person,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { BOUNDS, type Bounds } from '../bounds.ts'
import { embeddedStore } from '../stores/embedded-store.ts'
import { Hints } from '../stores/hints.ts'
import { memoryStore } from '../stores/memory-store.ts'
import type { RelayStore } from '../stores/store.ts'
import { AUDIENCE, closeSharedEnclave, makeRelay, revoke, START, type World } from '../test/relay.ts'
import { RATES } from './rates.ts'

afterAll(closeSharedEnclave)

const [account, laptop, phone, stranger] = [21, 22, 23, 24].map(person) as [Person, Person, Person, Person]
/** The account's permission for a device, valid while it is one of its devices. */
const permission = (to: Person, by = account) => delegation(by, to, { sub: by.did, cmd: '/relay/records' })

const record = (text: string, kind = 2) => Buffer.from([kind, ...Buffer.from(text)])
const idOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const digestOf = (records: readonly Uint8Array[]) => {
  let digest = Buffer.alloc(32)
  for (const each of records) digest = createHash('sha256').update(digest).update(idOf(each)).digest()
  return digest.toString('base64url')
}

function token(by: Person, proof: Token, command: string, args: Record<string, string | bigint>): string {
  const exp = BigInt(START / 1_000 + 300)
  const fields = { cmd: `/relay/records/${command}`, aud: AUDIENCE, exp, args: new Map(Object.entries(args)) }
  return container([proof, invocation(by, account, [proof], fields)])
}

const append = (
  world: World,
  by: Person,
  bytes: Buffer,
  { headsRead, proof = permission(by), signed = bytes, address = '192.0.2.1' }: Appending = {},
) =>
  world.ask('/records/append', {
    method: 'POST',
    address,
    token: token(by, proof, 'append', { record: idOf(signed).toString('base64url') }),
    body: JSON.stringify({
      record: bytes.toString('base64url'),
      ...(headsRead === undefined ? {} : { heads_read: headsRead }),
    }),
  })
interface Appending {
  readonly headsRead?: number
  readonly proof?: Token
  readonly signed?: Buffer
  readonly address?: string
}

const read = (world: World, by: Person, from = 1, proof = permission(by)) =>
  world.ask('/records/read', { method: 'POST', token: token(by, proof, 'read', { from: BigInt(from) }) })
const watch = (world: World, by: Person, proof = permission(by)) =>
  world.ask('/records/watch', { token: token(by, proof, 'watch', {}) })
const answerOf = async (response: Response) => [response.status, await response.json()]

describe.each(['memory', 'a folder'])("an account's records in %s", (kind) => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  async function begin(boundsOf: Partial<Bounds> = {}, options: Parameters<typeof makeRelay>[0] = {}) {
    const bounds = { ...BOUNDS, ...boundsOf }
    let store: RelayStore = memoryStore(bounds)
    if (kind === 'a folder') {
      const folder = await mkdtemp(join(tmpdir(), 'keyhole-relay-'))
      ends.push(() => rm(folder, { recursive: true }))
      store = embeddedStore(folder, bounds)
    }
    ends.push(() => store.close())
    const world = await makeRelay({ ...options, store, boundsOf })
    ends.push(() => world.relay.close())
    return world
  }

  it('are only kept by a relay that is configured to', async () => {
    const world = await begin({}, { records: false })
    expect((await append(world, laptop, record('one'))).status).toBe(404)
  })

  it('are appended by one device and read by another, with a digest of what came before', async () => {
    const world = await begin()
    const all = Array.from({ length: 40 }, (_, at) => record(`${at}`))
    for (const [at, each] of all.entries())
      expect(await answerOf(await append(world, laptop, each))).toEqual([201, { place: at + 1 }])
    expect(await answerOf(await append(world, laptop, all[3] as Buffer))).toEqual([200, { place: 4 }])
    for (const from of [1, 2, 16, 17, 18, 33, 40, 41]) {
      const answer = {
        before: digestOf(all.slice(0, from - 1)),
        records: all.slice(from - 1).map((each) => each.toString('base64url')),
      }
      expect(await answerOf(await read(world, phone, from))).toEqual([200, answer])
    }
    expect(await answerOf(await read(world, phone, 42))).toEqual([200, { before: null, records: [] }])
  })

  it('are not looked for beyond their end, however far', async () => {
    const world = await begin()
    await append(world, laptop, record('one'))
    const begun = performance.now()
    for (const from of [3, 1_000, 2 ** 40, Number.MAX_SAFE_INTEGER])
      expect(await answerOf(await read(world, phone, from))).toEqual([200, { before: null, records: [] }])
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('have a single line of heads', async () => {
    const world = await begin()
    expect((await append(world, laptop, record('a', 1), { headsRead: 0 })).status).toBe(201)
    const late = await append(world, phone, record('b', 1), { headsRead: 0 })
    expect(await answerOf(late)).toEqual([409, { error: 'conflict' }])
    expect((await append(world, phone, record('b', 1), { headsRead: 1 })).status).toBe(201)
    // A head must say how many there were, and nothing else may.
    expect((await append(world, phone, record('c', 1))).status).toBe(400)
    expect((await append(world, phone, record('d'), { headsRead: 2 })).status).toBe(400)
  })

  it('are only for the devices of the account', async () => {
    const world = await begin()
    await append(world, laptop, record('secret'))
    const own = permission(stranger, stranger)
    for (const answer of [
      await read(world, stranger, 1, own),
      await watch(world, stranger, own),
      await append(world, stranger, record('x'), { proof: own }),
      await read(world, stranger, 1, permission(laptop)),
    ]) {
      expect(answer.status).toBe(403)
      expect(await answer.text()).not.toContain(record('secret').toString('base64url'))
    }
    for (const path of ['/records/read', '/records/append'])
      expect((await world.ask(path, { method: 'POST', body: '{}' })).status).toBe(401)
    // A permission for one record can't append another.
    const other = await append(world, laptop, record('x'), { signed: record('y') })
    expect(await answerOf(other)).toEqual([403, { error: 'forbidden', rule: 'MatchError' }])
  })

  it('are closed to a device once its permission is revoked, which also ends its watch', async () => {
    const world = await begin()
    const lost = permission(phone)
    expect((await read(world, phone, 1, lost)).status).toBe(200)
    const watching = await watch(world, phone, lost)
    const reader = watching.body?.getReader()
    const revocation = { revocation: revoke(account, lost), token: container([lost]) }
    expect((await world.post('/revocations', revocation)).status).toBe(201)
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read());
    const refused = [403, { error: 'forbidden', rule: 'Revoked' }]
    expect(await answerOf(await read(world, phone, 1, lost))).toEqual(refused)
    expect(await answerOf(await append(world, phone, record('x'), { proof: lost }))).toEqual(refused)
    expect(await answerOf(await watch(world, phone, lost))).toEqual(refused)
    expect((await read(world, laptop)).status).toBe(200)
  })

  it('cause hints to those who watch', async () => {
    const world = await begin()
    const reader = (await watch(world, phone)).body?.getReader()
    const next = async () => new TextDecoder().decode((await reader?.read())?.value)
    while (!(await next()).includes('changed'));
    await append(world, laptop, record('one'))
    expect(await next()).toContain('event: changed')
    await reader?.cancel()
  })

  it('cause a hint if the store may have missed one', async () => {
    const hints = new Hints()
    const world = await begin()
    const watchHints: RelayStore['watch'] = (changed) => hints.watch(changed)
    Object.assign(world.store, { watch: watchHints })
    const reader = (await watch(world, phone)).body?.getReader()
    const next = async () => new TextDecoder().decode((await reader?.read())?.value)
    while (!(await next()).includes('changed'));
    hints.emit({ missed: true })
    expect(await next()).toContain('event: changed')
    await reader?.cancel()
  })

  it('count towards the rate while they arrive, however slowly', async () => {
    const rates = { ...RATES, append: { burst: 6, perMinute: 1 } }
    const world = await begin({}, { rates })
    let left = 12
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        left -= 1
        // The end never comes.
        if (left < 0) return new Promise(() => {})
        controller.enqueue(Buffer.from(left === 11 ? '{"record":"' : 'A'.repeat(65_536)))
        return undefined
      },
    })
    const bytes = record('a')
    const answer = await world.ask('/records/append', {
      method: 'POST',
      token: token(laptop, permission(laptop), 'append', { record: idOf(bytes).toString('base64url') }),
      body,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(429)
    expect(left).toBeGreaterThanOrEqual(0)
  })

  it('are limited by length, account and network', async () => {
    const rates = { ...RATES, append: { burst: 6, perMinute: 1 } }
    const world = await begin({ recordLength: 200_000, recordsPerAccount: 3 }, { rates })
    expect((await append(world, laptop, record('x'.repeat(200_000)), { address: '192.0.2.9' })).status).toBe(
      413,
    )
    for (const text of ['a', 'b', 'c']) expect((await append(world, laptop, record(text))).status).toBe(201)
    expect(await answerOf(await append(world, laptop, record('d')))).toEqual([409, { error: 'full' }])
    // Two are left; a long record takes three.
    const long = await append(world, laptop, record('x'.repeat(140_000)))
    expect(await answerOf(long)).toEqual([429, { error: 'too_many_requests' }])
    expect((await append(world, laptop, record('e'))).status).toBe(429)
  })
})
