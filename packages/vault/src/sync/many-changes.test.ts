import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { closeSharedEnclave, makeRelay, type World } from '../../../relay/src/test/relay.ts'
import type { TokenRecord } from '../storage/schema.ts'
import { type TestDevice, TestDevices } from '../test/two-devices.ts'

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

const MANY = Number(process.env.KEYHOLE_TOKENS ?? 1_000)

/** As long as a token with two proofs. */
function token(id: string, length = 700): TokenRecord {
  return {
    id,
    cid: `bafy-${id}`,
    token: `C${id}`.padEnd(length, 'x'),
    type: 'origin',
    issuer: `did:key:z${'A'.repeat(47)}`,
    audience: `did:key:z${'B'.repeat(47)}`,
    createdAt: 1,
    expiresAt: 4e12 + id.length,
  }
}

const tokens = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...token(`t${at}`), expiresAt: 4e12 + at }))

async function meet(...all: TestDevice[]): Promise<void> {
  for (let round = 0; round < 3; round += 1) for (const device of all) await device.session.meet()
}

/** Records at the relay. */
const sent = async (device: TestDevice) => (await device.readAll()).length

describe('many changes', () => {
  it('are few records, within what a relay takes at once', { timeout: 600_000 }, async () => {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    const before = await sent(laptop)
    await laptop.storage.writeBatch({ tokens: tokens(MANY) })
    expect(await laptop.session.waiting()).toBe(MANY)
    const start = Date.now()
    await laptop.session.meet()
    const sending = Date.now() - start
    expect(await laptop.session.waiting()).toBe(0)
    const records = (await sent(laptop)) - before
    await phone.session.meet()
    console.info(
      `${MANY} tokens: ${records} records, sent in ${sending} ms, there after ${Date.now() - start}`,
    )
    expect(records).toBeLessThan(MANY / 250)
    expect(await phone.storage.readTokens()).toHaveLength(MANY)
    // What one of them changes afterwards is one record, and all that the other one looks at besides names.
    await phone.storage.removeToken('t7')
    const asked: unknown[] = []
    const { enclave } = laptop
    const { callByName } = enclave
    enclave.callByName = async (name, input) => {
      if (String(name) === 'read_things') asked.push(input)
      return await callByName.call(enclave, name, input)
    }
    await phone.session.meet()
    await laptop.session.meet()
    expect(asked).toEqual([{ thing: 'token', ids: ['bafy-t7'] }, { thing: 'label' }])
    expect(await laptop.storage.readToken('t7')).toBeUndefined()
  })

  it('are compared with what is stored a few times, though nothing but their CIDs tells them apart', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    const ages = (from: string) =>
      Array.from({ length: 600 }, (_, at) => {
        const { expiresAt: _end, ...endless } = token(`${from}${at}`)
        return endless
      })
    await phone.storage.writeBatch({ tokens: ages('own') })
    await laptop.storage.writeBatch({ tokens: ages('t') })
    const steps = vi.spyOn(IDBCursor.prototype, 'continue')
    await meet(laptop, phone)
    expect(await phone.storage.readTokens()).toHaveLength(1_200)
    expect(steps.mock.calls.length).toBeLessThan(50_000)
    steps.mockRestore()
  })

  it('are sent without the one that is too long', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.storage.writeBatch({ tokens: [token('a'), token('long', 900_000), token('b')] })
    await meet(laptop, phone)
    expect([laptop.session.tooLong, await laptop.session.waiting()]).toEqual([1, 0])
    expect((await phone.storage.readTokens()).map(({ id }) => id).sort()).toEqual(['a', 'b'])
    // It stays here, and is counted again after a start.
    await laptop.kill()
    await laptop.revive()
    await laptop.session.meet()
    expect(laptop.session.tooLong).toBe(1)
    expect(await laptop.storage.readToken('long')).toEqual(token('long', 900_000))
  })

  it('are all there after a restart if more waited to be sent than the plugin takes at once', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const write = async (part: number) => {
      // 11 MB of records before the restart.
      const some = Array.from({ length: 55 }, (_, index) => token(`t${part}-${index}`, 150_000))
      await laptop.storage.writeBatch({ tokens: some })
      await laptop.session.settle()
    }
    await write(0)
    await laptop.kill()
    await laptop.revive()
    await write(1)
    await laptop.kill()
    await laptop.revive()
    expect(laptop.session.status?.missing).toBe(0)
    await meet(laptop, phone)
    expect(await phone.storage.readTokens()).toHaveLength(110)
    expect(await laptop.shared()).toEqual(await phone.shared())
  })

  it('don’t wait before a change of the head, however much they are, unless the relay forgot what others wrote', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await phone.storage.addToken(token('theirs'))
    await meet(laptop, phone)
    // 11 MB of records.
    const some = Array.from({ length: 55 }, (_, index) => token(`t${index}`, 150_000))
    await laptop.storage.writeBatch({ tokens: some })
    await laptop.session.settle()
    let appended = 0
    const { fetch } = laptop
    laptop.fetch = async (url, init) => {
      if (String(url).endsWith('/append')) appended += 1
      return await fetch(url, init)
    }
    await laptop.session.prepareHead()
    expect(appended).toBe(0)
    await laptop.kill()
    await laptop.revive()
    await laptop.session.prepareHead()
    expect(appended).toBe(0)
    // Another relay with nothing in it: a head is proposed there once it has what the head names.
    const others = await laptop.readAll()
    laptop.relayWorld = await relay()
    await laptop.session.prepareHead()
    const now = await laptop.readAll()
    expect(others.filter((record) => !now.includes(record))).toEqual([])
  })

  it('are all there after the device was killed at any step of sending them', {
    timeout: 600_000,
  }, async () => {
    const [laptop, phone] = await devices.two(await relay())
    let [at, isKilled] = [0, true]
    for (; isKilled; at += 1) {
      // More than fit in one record.
      const some = Array.from({ length: 5 }, (_, index) => token(`t${at}-${index}`, 150_000))
      await laptop.storage.writeBatch({ tokens: some })
      isKilled = await laptop.killedAfter(at, () => laptop.session.meet())
    }
    await meet(laptop, phone)
    expect(await phone.storage.readTokens()).toHaveLength(5 * at)
    expect(await laptop.shared()).toEqual(await phone.shared())
  })
})

describe('what an account had before its first device', () => {
  it('is marked after the next start if the account was locked meanwhile', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.storage.exchange({}, () => ({ tokens: tokens(1_200) }))
    let pages = 0
    const { tokenPages } = laptop.storage
    laptop.storage.tokenPages = async function* (size) {
      for await (const page of tokenPages.call(laptop.storage, size)) {
        pages += 1
        if (pages === 2) laptop.stop()
        yield page
      }
    }
    expect(await laptop.session.markUnknown()).toBe(false)
    await laptop.kill()
    await laptop.revive()
    expect(await laptop.session.markUnknown()).toBe(true)
    await meet(laptop, phone)
    expect(await phone.storage.readTokens()).toHaveLength(1_200)
  })
})
