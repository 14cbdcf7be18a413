import { createHash } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { closeSharedEnclave, makeRelay, type World } from '../../../relay/src/test/relay.ts'
import type { TokenRecord } from '../storage/schema.ts'
import { type TestDevice, TestDevices } from '../test/two-devices.ts'
import { recordIdOf } from './stored/stored-records.ts'

afterAll(closeSharedEnclave)
const devices = new TestDevices()
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function relay(): Promise<World> {
  const world = await makeRelay({ clock: Date.now })
  ends.push(() => world.relay.close())
  return world
}

function token(id: string): TokenRecord {
  return {
    id,
    cid: `bafy-${id}`,
    token: `C${id}`,
    type: 'origin',
    issuer: 'did:key:zA',
    audience: 'kh1b',
    createdAt: 1,
  }
}

async function meet(...all: TestDevice[]): Promise<void> {
  for (let round = 0; round < 3; round += 1) for (const device of all) await device.session.meet()
}

interface Page {
  readonly before: string | null
  readonly records: readonly string[]
}

/** Lets a relay change what it answers to a device that reads. */
function readingChanged(device: TestDevice, change: (page: Page, from: number) => Page): () => void {
  const { fetch } = device
  device.fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (!String(url).endsWith('/read') || !answer.ok) return answer
    return Response.json(change(await answer.json(), device.session.status?.next ?? 1))
  }
  return () => {
    device.fetch = fetch
  }
}

const digestOf = (records: readonly string[]) =>
  records
    .map((record) => createHash('sha256').update(Buffer.from(record, 'base64url')).digest())
    .reduce((digest, id) => createHash('sha256').update(digest).update(id).digest(), Buffer.alloc(32))
    .toString('base64url')

/** The relay has a list of its own. */
const showing = (device: TestDevice, list: (from: number) => readonly string[]) =>
  readingChanged(device, (_, from) => {
    const all = list(from)
    return { before: digestOf(all.slice(0, from - 1)), records: all.slice(from - 1, from + 99) }
  })

async function listOf(device: TestDevice): Promise<string[]> {
  return [...(await device.relay().read(1)).records]
}

describe('a relay', () => {
  it('that forgets everything gets it again from the devices', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.storage.addToken(token('a'))
    await meet(laptop, phone)
    const other = await relay()
    for (const device of [laptop, phone]) device.relayWorld = other
    await phone.storage.addToken(token('b'))
    await meet(phone, laptop)
    expect(await laptop.shared()).toEqual(await phone.shared())
    expect(await laptop.storage.readTokens()).toHaveLength(2)
    expect(phone.session.status?.went_back).toBeGreaterThan(0)
    // Also for a device that is started again.
    await laptop.kill()
    await laptop.revive()
    await laptop.session.meet()
    expect(await laptop.session.waiting()).toBe(0)
    expect(await laptop.storage.readTokens()).toHaveLength(2)
  })

  it('that always shows another digest is given up', async () => {
    const [laptop] = await devices.two(await relay())
    const before = await laptop.shared()
    const undo = readingChanged(laptop, ({ records }) => ({ before: `${'B'.repeat(42)}A`, records }))
    await expect(laptop.session.meet()).rejects.toMatchObject({ why: 'nonsense' })
    undo()
    await laptop.session.meet()
    expect(await laptop.shared()).toEqual(before)
  })

  it('whose list has no end is given up, and fills nothing', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const own = await listOf(laptop)
    const all = [...own]
    showing(phone, (from) => {
      while (all.length < from)
        all.push(Buffer.from(`\u0002 not a record ${all.length}`).toString('base64url'))
      return all.slice(0, from)
    })
    await phone.session.open()
    await expect(phone.session.meet()).rejects.toMatchObject({ why: 'nonsense' })
    expect((await phone.storage.readMetadataUnder('device-record:')).length).toBeLessThanOrEqual(own.length)
  })

  it('that repeats, reorders and damages records, and mixes in those of others, changes nothing', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const [stranger] = await devices.two(await relay())
    await stranger.storage.addToken(token('theirs'))
    await stranger.session.meet()
    await laptop.storage.addToken(token('a'))
    await laptop.contact('bob', 'Bob')
    await laptop.session.meet()
    const own = await listOf(laptop)
    const theirs = await listOf(stranger)
    const damaged = own.map((record) => record.replace(/.{8}$/, 'AAAAAAAA'))
    const shown = [...theirs, ...own.toReversed(), ...damaged, ...own, ...own, ...theirs]
    const undo = showing(phone, () => shown)
    await phone.session.open()
    await phone.session.meet().catch(() => undefined)
    expect(await phone.storage.readToken('a')).toEqual(token('a'))
    expect(await phone.contacts()).toEqual({ bob: 'Bob' })
    expect(await phone.storage.readTokens()).toHaveLength(1)
    const disk = JSON.stringify(await phone.storage.readMetadata())
    expect([...theirs, ...damaged].filter((record) => disk.includes(record))).toEqual([])
    undo()
    // It goes on with an honest one, from what is stored.
    await phone.kill()
    await phone.revive()
    await meet(phone, laptop)
    expect(await phone.shared()).toEqual(await laptop.shared())
  })

  it('that withholds a record is seen to', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.storage.addToken(token('a'))
    await laptop.session.meet()
    const [all] = [await listOf(laptop)]
    await laptop.storage.addToken(token('b'))
    await laptop.session.meet()
    const later = (await listOf(laptop)).slice(all.length)
    const undo = showing(phone, () => [...all.slice(0, -1), ...later])
    await phone.session.open()
    await phone.session.meet().catch(() => undefined)
    expect(phone.session.status?.missing).toBe(1)
    expect(await phone.storage.readTokens()).toEqual([])
    undo()
    await meet(phone, laptop)
    expect(phone.session.status?.missing).toBe(0)
    expect(await phone.storage.readTokens()).toHaveLength(2)
  })

  it('that says it has what it was sent, and shows nothing of it, doesn’t count as having it', async () => {
    const [laptop] = await devices.two(await relay())
    const all = await listOf(laptop)
    showing(laptop, () => all)
    await laptop.storage.addToken(token('a'))
    await expect(laptop.session.meet()).rejects.toMatchObject({ why: 'nonsense' })
    expect(await laptop.session.waiting()).toBe(1)
  })

  it('that kept devices apart loses no key, though one of them can’t read what another one added', async () => {
    const world = await relay()
    const [laptop, phone] = await devices.two(world)
    await meet(laptop, phone)
    const keys = async (device: TestDevice) => {
      const { status } = await device.call('vault_status', {})
      return Object(status).keys.map((key: { readonly key_id: string }) => key.key_id)
    }
    phone.relayWorld = await relay()
    await phone.session.prepareHead()
    const { records } = await phone.call('propose_head', { change: { keys: { generate_key: {} } } })
    const [head = ''] = records as string[]
    await phone.session.propose([head])
    const all = await keys(phone)
    const tablet = devices.make(world)
    await laptop.add(tablet)
    phone.relayWorld = world
    await phone.relay().append(head, await recordIdOf(head), laptop.session.status?.heads_read)
    // The tablet is there first.
    await tablet.session.meet()
    expect(tablet.session.status).toMatchObject({ unread: 1, has_to_join: false, has_to_adopt: false })
    await meet(laptop, tablet, phone)
    for (const device of [laptop, phone, tablet]) {
      expect(await keys(device)).toEqual(all)
      expect(device.session.status).toMatchObject({ unread: 0, has_to_join: false, has_to_adopt: false })
    }
    expect(all).toHaveLength(2)
  })
})
