import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { closeSharedEnclave, makeRelay, type World } from '../../../../relay/src/test/relay.ts'
import { readActivity } from '../../activity/activity-reader.ts'
import { isLine, parseLineId } from '../../activity/device-lines.ts'
import { type TestDevice, TestDevices } from '../../test/two-devices.ts'
import { writeThings } from '../device-calls.ts'
import { nameThing } from '../named-devices.ts'

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

async function meet(...all: TestDevice[]): Promise<void> {
  for (let round = 0; round < 3; round += 1) for (const device of all) await device.session.meet()
}

const read = ({ enclave, storage }: TestDevice) => readActivity(enclave, storage)

describe('lines of the log', () => {
  it('reach all devices, each once, in the order of time, also those written offline', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.act('grant')
    phone.clock.pass(10)
    await phone.act('receive')
    laptop.clock.pass(20)
    await laptop.act('revoke')
    await meet(laptop, phone)
    expect(await laptop.lines()).toEqual(['grant', 'receive on another', 'revoke'])
    expect(await phone.lines()).toEqual(['grant on another', 'receive', 'revoke on another'])
    await meet(laptop, phone)
    expect(await phone.lines()).toHaveLength(3)
    expect([await laptop.session.waiting(), await phone.session.waiting()]).toEqual([0, 0])
    for (const device of [laptop, phone])
      expect(await read(device)).toMatchObject({ missing: [], rewritten: [] })
  })

  it('reach a device that was added later, with the names of those that wrote them', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await phone.session.say(nameThing(phone.session.status?.device ?? '', 'Phone'))
    await laptop.act('grant')
    laptop.clock.pass(1)
    phone.clock.pass(2)
    await phone.act('receive')
    await meet(laptop, phone)
    const tablet = devices.make(laptop.relayWorld)
    await laptop.add(tablet)
    await meet(tablet)
    expect(await tablet.lines()).toEqual(['grant on another', 'receive on Phone'])
    // A device that is removed keeps its name, and what it has said.
    await meet(laptop, tablet, phone)
    await laptop.remove(phone)
    await meet(laptop, tablet)
    expect(await tablet.lines()).toEqual(['grant on another', 'receive on Phone'])
    expect(tablet.changed).toContain('activity')
  })

  it('go with what they explain in one record', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    const before = (await laptop.readAll()).length
    await laptop.contact('bob', 'Bob')
    await laptop.act('addContact')
    await laptop.session.meet()
    expect((await laptop.readAll()).length - before).toBe(1)
    await phone.session.meet()
    expect([await phone.contacts(), await phone.lines()]).toEqual([{ bob: 'Bob' }, ['addContact on another']])
  })

  it('are all there after the device was killed at any step', { timeout: 300_000 }, async () => {
    const [laptop, phone] = await devices.two(await relay())
    let [at, isKilled] = [0, true]
    for (; isKilled; at += 1) {
      await laptop.act(`act${'x'.repeat(at)}`)
      laptop.clock.pass(1)
      isKilled = await laptop.killedAfter(at, () => laptop.session.meet())
    }
    await meet(laptop, phone)
    const own = await laptop.lines()
    expect(own).toHaveLength(at)
    expect(await phone.lines()).toEqual(own.map((line) => `${line} on another`))
    isKilled = true
    for (let step = 0; isKilled; step += 1) {
      await laptop.act(`more${'x'.repeat(step)}`)
      laptop.clock.pass(1)
      await laptop.session.meet()
      isKilled = await phone.killedAfter(step, () => phone.session.meet())
    }
    await meet(phone)
    expect(await phone.lines()).toEqual((await laptop.lines()).map((line) => `${line} on another`))
  })

  it('of an old copy of a device’s storage are shown beside those that it has lost', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.act('first')
    const old = {
      state: await laptop.storage.readState(),
      metadata: await laptop.storage.readMetadata(),
    }
    laptop.clock.pass(1)
    await laptop.act('lost')
    await meet(laptop, phone)
    await laptop.kill()
    laptop.factory = new IDBFactory()
    laptop.storage = await laptop.open()
    await laptop.storage.writeState(String(old.state?.enclave), 1, { metadata: old.metadata, unmarked: true })
    await laptop.revive()
    laptop.clock.pass(1)
    await laptop.act('again')
    await meet(laptop, phone)
    expect(await laptop.lines()).toEqual(['first', 'lost on another', 'again'])
    expect(await phone.lines()).toEqual(['first', 'lost', 'again'].map((act) => `${act} on another`))
  })

  it('may be many', { timeout: 600_000 }, async () => {
    const count = Number(process.env.KEYHOLE_LINES ?? 3_000)
    const [laptop, phone] = await devices.two(await relay())
    const start = laptop.clock.now()
    const about = { cid: `bafyrei${'a'.repeat(52)}`, audience: `did:key:z6Mk${'b'.repeat(44)}` }
    await laptop.log(
      Array.from({ length: count }, (_, at) => ({
        ...{ at: start + at, tab: '1f0c22ab', act: 'grant', outcome: 'done', about },
      })),
    )
    const before = (await laptop.readAll()).length
    let time = Date.now()
    const took = () => {
      const from = time
      time = Date.now()
      return time - from
    }
    await laptop.session.meet()
    const sent = took()
    const records = (await laptop.readAll()).slice(before)
    await phone.session.meet()
    const taken = took()
    const { lines } = await read(phone)
    const shown = took()
    await phone.session.open()
    await phone.session.settle()
    const opened = took()
    const length = records.reduce((sum, record) => sum + record.length, 0)
    console.info(
      `${count} lines: ${records.length} records, ${Math.ceil((length * 0.75) / 1024)} KiB, sent in ${sent} ms, ` +
        `taken in ${taken}, read in ${shown}, opened again in ${opened}`,
    )
    expect(lines).toHaveLength(count)
    expect(records.length).toBeLessThan(count / 250)
    expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  })
})

describe('what another device says', () => {
  const entry = { at: 1, tab: 'oak', act: 'grant', outcome: 'done' }

  async function thing(device: string, seq: number, said: unknown, number: unknown = seq) {
    const text = typeof said === 'string' ? said : JSON.stringify({ seq: number, entry: said })
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
    return {
      kind: 'line',
      id: `${device}:${seq}:${Buffer.from(hash).toString('hex').slice(0, 16)}`,
      value: text,
    } as const
  }

  it('is shown only if a page can show it', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const own = phone.session.status?.device ?? ''
    const bad = [
      await thing(own, 1, { ...entry, at: 8.64e15 + 1 }),
      await thing(own, 2, { ...entry, at: -1e16 }),
      await thing(own, 3, { ...entry, at: 1.5 }),
      await thing(own, 4, { ...entry, act: 'x'.repeat(41) }),
      await thing(own, 5, { ...entry, act: '<b>' }),
      await thing(own, 6, { ...entry, tab: 'a b' }),
      await thing(own, 7, { ...entry, outcome: '' }),
      await thing(own, 8, { ...entry, about: { why: 'x'.repeat(301) } }),
      await thing(own, 9, { ...entry, about: { why: {} } }),
      await thing(own, 10, {
        ...entry,
        about: Object.fromEntries([...'abcdefghijklm'].map((key) => [key, 1])),
      }),
      await thing(own, 11, entry, 12),
      await thing(own, 13, 'no JSON'),
      await thing(own, 14, JSON.stringify({ seq: 14, entry, more: 'x'.repeat(5_000) })),
      { kind: 'line', id: `${own}:15:0123456789abcdef`, value: JSON.stringify({ seq: 15, entry }) },
      { kind: 'line', id: 'x', value: 'y' },
      { kind: 'line', id: `${own}:0:0123456789abcdef`, value: JSON.stringify({ seq: 0, entry }) },
    ] as const
    const good = await thing(own, 20, { ...entry, act: 'somethingNew', at: 8.64e15, about: { new: 'x' } })
    await writeThings(phone.enclave, [...bad, good])
    await laptop.act('unlock')
    laptop.clock.pass(1)
    await phone.session.meet()
    await meet(laptop, phone)
    // Its clock is ahead: it's shown where it came in.
    expect(await laptop.lines()).toEqual(['unlock', 'somethingNew on another'])
    laptop.clock.pass(1)
    await laptop.act('lock')
    expect(await laptop.lines()).toEqual(['unlock', 'somethingNew on another', 'lock'])
    expect((await read(laptop)).missing).toEqual([])
  })

  it('is the text that its id names, whoever wrote that last', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const line = await thing(phone.session.status?.device ?? '', 1, entry)
    await writeThings(phone.enclave, [line])
    await writeThings(phone.enclave, [{ ...line, value: 'another text' }])
    await meet(phone, laptop)
    expect(await laptop.lines()).toEqual(['grant on another'])
  })

  it('is not taken for another device’s line', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const tablet = devices.make(laptop.relayWorld)
    await laptop.add(tablet)
    const ids = [phone, tablet].map(({ session }) => session.status?.device ?? '')
    await writeThings(
      phone.enclave,
      await Promise.all(ids.map((id) => thing(id, 1, { ...entry, act: id === ids[0] ? 'grant' : 'revoke' }))),
    )
    await meet(phone, laptop)
    expect(await laptop.lines()).toEqual(['grant on another'])
  })

  it('has an id of its own form', async () => {
    const device = 'A'.repeat(43)
    expect(parseLineId(`${device}:7:0123456789abcdef`)).toEqual({
      device,
      seq: 7,
      digest: '0123456789abcdef',
    })
    for (const id of [
      '',
      `${device}:07:0123456789abcdef`,
      `${device}:7:0123`,
      `${device}:9007199254740992:0123456789abcdef`,
    ])
      expect(parseLineId(id)).toBeUndefined()
    expect(await isLine({ device, seq: 1, digest: '' }, '{')).toBe(false)
  })
})
