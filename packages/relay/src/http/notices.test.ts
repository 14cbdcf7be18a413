import { afterAll, describe, expect, it } from 'vitest'
import { closeSharedEnclave, makeRelay, START, type World } from '../test/relay.ts'
import { RATES } from './rates.ts'

afterAll(closeSharedEnclave)

const DAY = 86_400_000
const place = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
const notice = (fill: number, length = 1_024) => Buffer.alloc(length, fill).toString('base64url')

async function send(world: World, body: object, address?: string): Promise<number> {
  return (await world.post('/notices', body, address)).status
}
async function read(world: World, places: unknown): Promise<unknown> {
  const answered = await world.post('/notices/read', { places })
  return answered.ok ? await answered.json() : answered.status
}

describe('notices', () => {
  it('are read by those who know their place, and there is one in each', async () => {
    const world = await makeRelay()
    expect(await read(world, [place(1)])).toEqual({ notices: [] })
    expect(await send(world, { place: place(1), notice: notice(7) })).toBe(204)
    expect(await send(world, { place: place(2), notice: notice(8) })).toBe(204)
    expect(await read(world, [place(2), place(3), place(1), place(2)])).toEqual({
      notices: [
        { place: place(2), notice: notice(8) },
        { place: place(1), notice: notice(7) },
      ],
    })
    // The same again, by a sender that got no answer.
    expect(await send(world, { place: place(1), notice: notice(7) })).toBe(204)
    expect(await send(world, { place: place(1), notice: notice(9) })).toBe(409)
    expect(await read(world, [place(1)])).toEqual({ notices: [{ place: place(1), notice: notice(7) }] })
  })

  it('are gone after 90 days', async () => {
    const world = await makeRelay()
    await send(world, { place: place(1), notice: notice(7) })
    world.now = START + 90 * DAY
    expect(await read(world, [place(1)])).toEqual({ notices: [] })
  })

  it.each([
    ['a shorter notice', { place: place(1), notice: notice(7, 1_023) }],
    ['a longer notice', { place: place(1), notice: notice(7, 1_025) }],
    ['no notice', { place: place(1) }],
    ['a short name', { place: place(1).slice(2), notice: notice(7) }],
    ['a DID as its place', { place: 'did:key:z6Mk', notice: notice(7) }],
    ['no place', { notice: notice(7) }],
    ['more', { place: place(1), notice: notice(7), token: '' }],
  ])('are refused with %s', async (_what, body) => {
    const world = await makeRelay()
    expect(await send(world, body)).toBe(400)
    expect(world.errors).toEqual([])
  })

  it.each([
    ['no list', place(1)],
    ['too many', Array.from({ length: 65 }, (_, at) => place(at))],
    ['what is no place', [place(1), 7]],
  ])('can’t be read with %s', async (_what, places) => {
    expect(await read(await makeRelay(), places)).toBe(400)
  })

  it('take no more room than reports have', async () => {
    const world = await makeRelay({ boundsOf: { reportBytes: 2_048 } })
    expect(await send(world, { place: place(1), notice: notice(7) })).toBe(204)
    expect(await send(world, { place: place(2), notice: notice(7) })).toBe(204)
    expect(await send(world, { place: place(3), notice: notice(7) })).toBe(503)
    world.now = START + 90 * DAY
    expect(await send(world, { place: place(3), notice: notice(7) })).toBe(204)
  })

  it('come no more often from one network than messages', async () => {
    const world = await makeRelay({ rates: RATES })
    const statuses = new Set<number>()
    for (let at = 0; at < RATES.send.burst; at += 1)
      statuses.add(await send(world, { place: place(at), notice: notice(7) }))
    expect([...statuses]).toEqual([204])
    expect(await send(world, { place: place(99), notice: notice(7) })).toBe(429)
    expect(await send(world, { place: place(99), notice: notice(7) }, '198.51.100.7')).toBe(204)
  })
})
