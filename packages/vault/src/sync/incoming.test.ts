import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { closeSharedEnclave, makeRelay, type World } from '../../../relay/src/test/relay.ts'
import type { StateBatch } from '../storage/account/state-batch.ts'
import { MARK_PREFIX } from '../storage/devices/device-marks.ts'
import type { SessionRecord, TokenRecord } from '../storage/schema.ts'
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

function token(id: string, fields: Partial<TokenRecord> = {}): TokenRecord {
  return {
    ...{ id, cid: `bafy-${id}`, token: `C${id}`, type: 'origin', issuer: 'did:key:zA', audience: 'kh1b' },
    createdAt: 1,
    ...fields,
  }
}

/** A device with all kinds of records, which all are with the relay. */
async function filled(): Promise<TestDevice> {
  const [laptop, phone] = await devices.two(await relay())
  const address = laptop.address
  const key = 'revocation:bafy-a'
  const session: SessionRecord = { id: 's', accountAddress: address, expiresAt: 4e12, createdAt: 1 }
  // Of a value that JSON has no form of, and one of a later version.
  const odd = { policy: [['==', '.n', 2n ** 60n]], later: { of: ['a', 'version'] } }
  await laptop.storage.addToken(token('a'), {
    ...{ id: key, accountAddress: address, key, updatedAt: 1, sealed: 'm1.x' },
  })
  await laptop.storage.addToken(token('odd', odd))
  await laptop.storage.addToken(token('deleted'))
  await laptop.storage.putSession(session)
  await laptop.contact('bob', 'Bob')
  await laptop.session.meet()
  await laptop.storage.removeToken('deleted')
  for (const device of [laptop, phone, laptop]) await device.session.meet()
  return laptop
}

/** What is stored and shared, with the marks of what was changed here. */
async function storedIn({ storage }: TestDevice) {
  const [tokens, sessions, metadata] = [
    await storage.readTokens(),
    await storage.readSessions(),
    await storage.readMetadata(),
  ]
  const byId = <T extends { id: string }>(records: T[]) =>
    records.sort((one, other) => (one.id < other.id ? -1 : 1))
  const shared = metadata.filter(({ key }) => !key.startsWith('device-') || key.startsWith(MARK_PREFIX))
  return [byId(tokens), byId(sessions), byId(shared)]
}

describe('after an unlock', () => {
  it('what is stored as it was written is left as it is', async () => {
    const laptop = await filled()
    await laptop.session.open()
    const before = await storedIn(laptop)
    await laptop.session.settle()
    expect(await storedIn(laptop)).toEqual(before)
  })

  const contact = async ({ storage }: TestDevice) => {
    const found = await storage.readMetadataOf('contact:bob')
    if (!found) throw new Error('There is no contact.')
    return found
  }
  it.each<[string, (device: TestDevice) => Promise<StateBatch>]>([
    [
      'is missing',
      async () => ({ removed: { tokens: ['a', 'odd'], sessions: ['s'], metadata: ['contact:bob'] } }),
    ],
    ['is missing, and can’t be deleted', async () => ({ removed: { metadata: ['revocation:bafy-a'] } })],
    ['is another token', async () => ({ tokens: [token('a', { token: 'Cother' })] })],
    ['lacks a field', async () => ({ tokens: [token('odd')] })],
    ['has one more', async () => ({ tokens: [token('a', { sealedLabel: 'm1.z' })] })],
    [
      'has a field without a value',
      async () => ({ tokens: [Object.assign(token('a'), { later: undefined })] }),
    ],
    ['is almost the same number', async () => ({ tokens: [token('a', { createdAt: 1.5 })] })],
    [
      'is almost the same value',
      async () => ({
        tokens: [token('odd', { ...{ policy: [['==', '.n', 2 ** 60]], later: { of: ['a', 'version'] } } })],
      }),
    ],
    ['doesn’t parse', async () => ({ tokens: [token('a', { createdAt: Number.NaN })] })],
    [
      'was changed long after it was written',
      async (device) => ({ metadata: [{ ...(await contact(device)), updatedAt: 9, sealed: 'm1.other' }] }),
    ],
    ['was deleted on another device', async () => ({ tokens: [token('deleted')] })],
    [
      'is stored under another id',
      async () => ({ tokens: [token('twin', { cid: 'bafy-a' })], removed: { tokens: ['a'] } }),
    ],
  ])('what %s here, and was not changed here, is as devices have written it', async (_, wrong) => {
    const laptop = await filled()
    const before = await storedIn(laptop)
    const batch = await wrong(laptop)
    await laptop.storage.exchange({}, () => batch)
    await laptop.session.open()
    await laptop.session.settle()
    expect(await storedIn(laptop)).toEqual(before)
  })

  it('what was changed here goes to the others', async () => {
    const laptop = await filled()
    await laptop.storage.writeBatch({
      tokens: [token('a', { token: 'Cmine' })],
      removed: { tokens: ['odd'] },
    })
    await laptop.session.open()
    await laptop.session.settle()
    expect(await laptop.storage.readToken('a')).toEqual(token('a', { token: 'Cmine' }))
    expect(await laptop.storage.readToken('odd')).toBeUndefined()
    await laptop.session.meet()
    expect(await laptop.session.waiting()).toBe(0)
  })

  it('what is missing is there although the tab was closed while it was compared', async () => {
    const laptop = await filled()
    const before = await storedIn(laptop)
    await laptop.storage.exchange({}, () => ({ removed: { tokens: ['a', 'odd'] } }))
    for (const at of [1, 2, 3]) {
      await laptop.kill()
      await laptop.revive()
      let steps = 0
      const { exchange } = laptop.storage
      laptop.storage.exchange = async (...given) => {
        steps += 1
        if (steps === at) throw new Error('closed')
        await exchange.apply(laptop.storage, given)
      }
      await laptop.session.settle().catch(() => undefined)
    }
    await laptop.kill()
    await laptop.revive()
    await laptop.session.settle()
    expect(await storedIn(laptop)).toEqual(before)
  })
})
