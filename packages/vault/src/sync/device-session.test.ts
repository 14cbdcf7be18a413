import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { BOUNDS } from '../../../relay/src/bounds.ts'
import { embeddedStore } from '../../../relay/src/stores/embedded-store.ts'
import { memoryStore } from '../../../relay/src/stores/memory-store.ts'
import { closeSharedEnclave, makeRelay, type World } from '../../../relay/src/test/relay.ts'
import { DEVICE_RECEIVED } from '../storage/devices/device-marks.ts'
import type { TokenRecord } from '../storage/schema.ts'
import { fillDisk } from '../test/browser.ts'
import { type TestDevice, TestDevices } from '../test/two-devices.ts'
import { readSelf } from '../tokens/keepers/kept-mandates.ts'

afterAll(closeSharedEnclave)
const devices = new TestDevices()
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function relay(kind = 'memory'): Promise<World> {
  let store = memoryStore(BOUNDS)
  if (kind === 'a folder') {
    const folder = await mkdtemp(join(tmpdir(), 'keyhole-devices-'))
    ends.push(() => rm(folder, { recursive: true }))
    store = embeddedStore(folder, BOUNDS)
  }
  ends.push(() => store.close())
  const world = await makeRelay({ store, clock: Date.now })
  ends.push(() => world.relay.close())
  return world
}

function token(id: string, fields: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id,
    cid: `bafy-${id}`,
    token: `C${id}`,
    type: 'origin',
    issuer: 'did:key:zA',
    audience: 'kh1b',
    createdAt: 1,
    ...fields,
  }
}

/** Both meet the relay until neither has anything new. */
async function meet(...all: TestDevice[]): Promise<void> {
  for (let round = 0; round < 3; round += 1) for (const device of all) await device.session.meet()
}

async function expectSame(one: TestDevice, other: TestDevice): Promise<void> {
  expect(await one.shared()).toEqual(await other.shared())
  expect([await one.session.waiting(), await other.session.waiting()]).toEqual([0, 0])
}

/** The calls that a device makes at its relay, in order. @param before done before each; its answer is given instead of the relay's */
function callsOf(
  device: TestDevice,
  before: (call: string, count: number) => Promise<unknown> = async () => undefined,
): string[] {
  const calls: string[] = []
  const { fetch } = device
  device.fetch = async (url, init) => {
    const call = String(url).replace(/.*\//, '')
    calls.push(call)
    const answer = await before(call, calls.filter((each) => each === call).length)
    return answer instanceof Response ? answer : await fetch(url, init)
  }
  return calls
}

describe('a device that was removed', () => {
  /** It reads of its removal, and is refused before it has read to the end. */
  async function removed(): Promise<TestDevice> {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    const refusal = () => Response.json({ error: 'forbidden', rule: 'Revoked' }, { status: 403 })
    callsOf(phone, async (call, count) => (call === 'read' && count === 2 ? refusal() : undefined))
    callsOf(laptop, async (call, count) => {
      if (call === 'revocations' && count === 1) await phone.session.meet().catch(() => undefined)
    })
    await laptop.remove(phone)
    expect(phone.session.isRemoved).toBe(true)
    return phone
  }

  it('notes it although the relay refuses it before it has read to the end', async () => {
    const phone = await removed()
    expect((await readSelf(phone.storage))?.isRemoved).toBe(true)
  })

  it('notes it after it was killed', async () => {
    const phone = await removed()
    await phone.kill()
    await phone.revive()
    await phone.session.settle()
    expect((await readSelf(phone.storage))?.isRemoved).toBe(true)
  })
})

describe('a device whose first reading is cut off', () => {
  /** It has joined, and so far it has read the first head only, which adds another device. */
  async function cutOff(): Promise<[TestDevice, TestDevice]> {
    const [laptop, phone] = await devices.two(await relay())
    await phone.forgetRead()
    await phone.kill()
    const { fetch } = phone
    callsOf(phone, async (call, count) => {
      if (call !== 'read') return
      if (count === 2) throw new TypeError('network')
      const page = await laptop.relay().read(1)
      return Response.json({ ...page, records: page.records.slice(0, 1) })
    })
    await phone.revive()
    await expect(phone.session.meet()).rejects.toMatchObject({ why: 'network' })
    Object.assign(phone, { fetch })
    expect(phone.session.status).toMatchObject({ is_member: false, members: [expect.anything()] })
    return [laptop, phone]
  }

  it.each([false, true])(
    'does not take itself for removed, and reads on (opened again: %s)',
    async (again) => {
      const [laptop, phone] = await cutOff()
      if (again) await phone.kill().then(() => phone.revive())
      await phone.session.settle()
      expect(phone.session.isRemoved).toBe(false)
      expect((await readSelf(phone.storage))?.isRemoved).toBeUndefined()
      await phone.storage.addToken(token('a'))
      await meet(phone, laptop)
      expect(phone.session.status?.is_member).toBe(true)
      await expectSame(laptop, phone)
    },
  )

  it('does not take itself for removed if the relay ends its list before the head that adds it', async () => {
    const [laptop, phone] = await cutOff()
    const { fetch } = phone
    callsOf(phone, async (call) => {
      if (call !== 'read') return
      const page = await laptop.relay().read(2)
      return Response.json({ ...page, records: [] })
    })
    for (const _ of [1, 2]) {
      await phone.session.meet()
      expect([phone.session.isRemoved, phone.session.isUnnamed]).toEqual([false, true])
      expect(await readSelf(phone.storage)).toBeUndefined()
      await phone.kill()
      await phone.revive()
    }
    Object.assign(phone, { fetch })
    await meet(phone, laptop)
    expect([phone.session.isRemoved, phone.session.isUnnamed]).toEqual([false, false])
    await expectSame(laptop, phone)
  })

  it('knows that it was removed once it has read to the end', async () => {
    const [laptop, phone] = await cutOff()
    callsOf(laptop, async (call) => (call === 'revocations' ? Response.json({}) : undefined))
    const device = phone.session.status?.device
    await laptop.remove(phone)
    await phone.session.meet()
    expect(phone.session.isRemoved).toBe(true)
    expect(await readSelf(phone.storage)).toMatchObject({ device, isRemoved: true })
  })
})

describe('a device that the relay tells of what is new', () => {
  it('sends what was written here before it reads, and then reads', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    laptop.session.hinted()
    await laptop.session.meet()
    await laptop.storage.addToken(token('a'))
    await laptop.session.settle()
    const calls = callsOf(laptop)
    await laptop.session.meet()
    expect(calls).toEqual(['append', 'read', 'read'])
    await meet(phone)
    await expectSame(laptop, phone)
  })

  it('reads first if the relay has told of anything else, or tells nothing', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    for (const tell of [() => laptop.session.hinted(), () => laptop.session.unheard()]) {
      laptop.session.hinted()
      await laptop.session.meet()
      tell()
      await laptop.contact('bob', `Bob ${tell}`)
      await laptop.session.settle()
      const calls = callsOf(laptop)
      await laptop.session.meet()
      expect(calls.slice(0, 2)).toEqual(['read', 'append'])
    }
  })

  it('sends again what the relay has forgotten, although it sent something new before it read', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.storage.addToken(token('a'))
    await meet(laptop, phone)
    laptop.session.hinted()
    await laptop.session.meet()
    laptop.relayWorld = await relay()
    phone.relayWorld = laptop.relayWorld
    await laptop.storage.addToken(token('b'))
    await laptop.session.settle()
    await laptop.session.meet().catch(() => undefined)
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await phone.storage.readTokens()).toHaveLength(2)
  })

  it('takes in what a page brings before it asks for the next one', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    await laptop.storage.addToken(token('a'))
    await laptop.session.meet()
    const stored: number[] = []
    const calls = callsOf(phone, async () => void stored.push((await phone.storage.readTokens()).length))
    await phone.session.meet()
    expect(calls).toEqual(['read', 'read'])
    expect(stored).toEqual([0, 1])
  })

  /** A laptop that has read what the relay told it of, and another device. */
  async function listening(): Promise<[TestDevice, TestDevice]> {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    laptop.session.hinted()
    await laptop.session.meet()
    expect(laptop.session.isInStep).toBe(true)
    return [laptop, phone]
  }

  it('is not in step if it read something new after it had taken in what came', async () => {
    const [laptop, phone] = await listening()
    await laptop.name({ of: 'account' }, 'Home')
    await laptop.session.settle()
    callsOf(laptop, async (call, count) => {
      if (call !== 'append' || count > 1) return
      await phone.storage.addToken(token('b'))
      await meet(phone)
      laptop.session.hinted()
    })
    await laptop.session.meet()
    expect(await laptop.storage.readTokens()).toHaveLength(0)
    expect(laptop.session.isInStep).toBe(false)
    await laptop.session.meet()
    expect(await laptop.storage.readTokens()).toHaveLength(1)
    expect(laptop.session.isInStep).toBe(true)
  })

  it('is not in step if it read a head that it has not adopted', async () => {
    const [laptop, phone] = await listening()
    laptop.session.hinted()
    await laptop.storage.addToken(token('a'))
    await laptop.session.settle()
    callsOf(laptop, async (call, count) => {
      if (call !== 'append' || count > 1) return
      await phone.add(devices.make(laptop.relayWorld))
      laptop.session.hinted()
    })
    await laptop.session.meet()
    expect(laptop.session.status?.members).toHaveLength(3)
    expect(laptop.session.isInStep).toBe(false)
    await laptop.session.meet()
    expect(laptop.session.isInStep).toBe(true)
  })

  it('reads first after a reading failed, and after it was opened again', async () => {
    const [laptop] = await listening()
    let isAway = true
    const calls = callsOf(laptop, async (call, count) => {
      if (!isAway) return undefined
      // It went back, and is gone before it is read to its end.
      if (call === 'read' && count === 1) return Response.json({ before: null, records: [] })
      throw new TypeError('network')
    })
    await laptop.session.meet().catch(() => undefined)
    isAway = false
    await laptop.storage.addToken(token('a'))
    await laptop.session.settle()
    calls.length = 0
    await laptop.session.meet()
    expect(calls[0]).toBe('read')
    await laptop.session.open()
    await laptop.storage.addToken(token('b'))
    await laptop.session.settle()
    calls.length = 0
    await laptop.session.meet()
    expect(calls[0]).toBe('read')
  })

  it('reads at a relay that takes nothing and withholds hints', async () => {
    const [laptop, phone] = await listening()
    await laptop.storage.addToken(token('a'))
    await laptop.session.settle()
    callsOf(laptop, async (call) =>
      call === 'append' ? Response.json({ error: 'full' }, { status: 507 }) : undefined,
    )
    for (const id of ['b', 'c']) {
      await phone.storage.addToken(token(id))
      await meet(phone)
      await expect(laptop.session.meet()).rejects.toMatchObject({ why: 'full' })
      await laptop.session.settle()
      expect(await laptop.storage.readToken(id)).toBeDefined()
    }
  })
})

it('a device notes by its clock when another one has changed something', async () => {
  const [laptop, phone] = await devices.two(await relay())
  phone.clock.set(Date.UTC(2031, 4, 6))
  await laptop.storage.addToken(token('a'))
  await meet(laptop, phone)
  expect(await phone.storage.readMetadataOf(DEVICE_RECEIVED)).toMatchObject({ updatedAt: phone.clock.now() })
})

describe.each(['memory', 'a folder'])('two devices over a relay in %s', (kind) => {
  it('have the same after both changed things apart', async () => {
    const [laptop, phone] = await devices.two(await relay(kind))
    await laptop.storage.addToken(token('a'), undefined)
    await laptop.contact('bob', 'Bob')
    await phone.storage.addToken(token('b', { expiresAt: 4e12, policy: [['==', '.n', 2n ** 60n]] }))
    await phone.contact('ann', 'Ann')
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect((await laptop.storage.readTokens()).map(({ id }) => id).sort()).toEqual(['a', 'b'])
    expect(await phone.contacts()).toEqual({ ann: 'Ann', bob: 'Bob' })
    expect(new Set(laptop.changed)).toEqual(new Set(['tokens', 'contacts']))

    await phone.storage.removeToken('a')
    await laptop.contact('ann', 'Anna')
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect((await laptop.storage.readTokens()).map(({ id }) => id)).toEqual(['b'])
    expect(await phone.contacts()).toEqual({ ann: 'Anna', bob: 'Bob' })
  })
})

describe('devices that are killed', () => {
  it.each([
    ['read first', false, 20],
    // Fewer steps: less is read.
    ['send first', true, 12],
  ])(
    'lose nothing that was saved, at whatever step, if they %s',
    { timeout: 300_000 },
    async (_, isTold, least) => {
      const [laptop, phone] = await devices.two(await relay())
      const round = async ({ session }: TestDevice) => {
        await session.settle()
        await session.meet()
      }
      const saved = new Set<string>()
      let [at, isKilled] = [0, true]
      for (; isKilled; at += 1) {
        for (const { session } of isTold ? [laptop, phone] : []) {
          session.hinted()
          await session.meet()
        }
        await laptop.storage.addToken(token(`l${at}`))
        await phone.storage.addToken(token(`p${at}`))
        await phone.contact('bob', `Bob ${at}`)
        for (const id of [`l${at}`, `p${at}`]) saved.add(id)
        if (at > 0) {
          await laptop.storage.removeToken(`l${at - 1}`)
          saved.delete(`l${at - 1}`)
        }
        const killed = [
          await laptop.killedAfter(at, () => (isTold ? round(laptop) : laptop.session.meet())),
          await phone.killedAfter(at, () => (isTold ? round(phone) : phone.session.meet())),
        ]
        isKilled = killed.includes(true)
      }
      expect(at).toBeGreaterThan(least)
      await meet(laptop, phone)
      await expectSame(laptop, phone)
      expect((await laptop.storage.readTokens()).map(({ id }) => id).sort()).toEqual([...saved].sort())
      expect(await laptop.contacts()).toEqual({ bob: `Bob ${at - 1}` })
    },
  )

  it('go on after a long time without a relay', { timeout: 300_000 }, async () => {
    const [laptop, phone] = await devices.two(await relay())
    const { fetch } = phone
    phone.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    for (let change = 0; change < 120; change += 1) await phone.storage.addToken(token(`t${change}`))
    await phone.session.settle()
    await phone.storage.removeToken('t7')
    await expect(phone.session.meet()).rejects.toMatchObject({ why: 'network' })
    await phone.kill()
    await phone.revive()
    expect(await phone.session.waiting()).toBe(121)
    await laptop.storage.addToken(token('mine'))
    phone.fetch = fetch
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await laptop.storage.readTokens()).toHaveLength(120)
  })

  it('go on if the disk is full', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.storage.addToken(token('a'))
    await laptop.session.meet()
    const free = fillDisk('metadata', 'tokens')
    await expect(phone.session.meet()).rejects.toMatchObject({ details: { quota: true } })
    free()
    await phone.session.open()
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await phone.storage.readToken('a')).toEqual(token('a'))
  })

  it('write on from what is stored if something they said could not be, and were killed', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    const free = fillDisk('metadata')
    const saying = phone.session.say({ kind: 'label', id: 'account', value: 'Ada' })
    await expect(saying).rejects.toMatchObject({ details: { quota: true } })
    free()
    await phone.storage.addToken(token('a'))
    await phone.session.settle()
    await phone.kill()
    await phone.revive()
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await laptop.storage.readToken('a')).toEqual(token('a'))
  })

  it('take what they read while the disk was full, also without opening again', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await meet(laptop, phone)
    await laptop.storage.addToken(token('a'))
    await laptop.session.meet()
    const free = fillDisk('metadata', 'tokens')
    await expect(phone.session.meet()).rejects.toMatchObject({ details: { quota: true } })
    free()
    await meet(phone)
    expect(await phone.storage.readToken('a')).toEqual(token('a'))
  })
})

describe('the same record on two devices', () => {
  it('is the one that was written last, and one changed meanwhile is not overwritten', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.contact('bob', 'Bob')
    await meet(laptop, phone)
    await phone.contact('bob', 'Robert')
    await phone.session.meet()
    await laptop.contact('bob', 'Bobby')
    await laptop.session.meet()
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    // The laptop had not read of the other change when it was made, but wrote its own after reading.
    expect(await phone.contacts()).toEqual({ bob: 'Bobby' })
  })

  it('is one record if both stored the same token', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.storage.addToken(token('one', { cid: 'bafy' }))
    await phone.storage.addToken(token('two', { cid: 'bafy' }))
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await laptop.storage.readTokens()).toHaveLength(1)
  })

  it('is one record if both stored the same received token with different chains, of which one ends sooner', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const received = (id: string, expiresAt: number) =>
      token(id, { cid: 'bafy', type: 'received', expiresAt })
    await laptop.storage.addToken(received('one', 2_000_000_000_000))
    await phone.storage.addToken(received('two', 1_900_000_000_000))
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await laptop.storage.readTokens()).toHaveLength(1)
  })

  it('is gone on all devices if one deletes a token that another one had stored too', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await phone.storage.addToken(token('two', { cid: 'bafy' }))
    await phone.session.settle()
    for (const id of ['a', 'b', 'c']) {
      await laptop.storage.addToken(token(id))
      await laptop.session.meet()
    }
    await laptop.storage.addToken(token('one', { cid: 'bafy' }))
    await laptop.session.meet()
    await laptop.storage.writeBatch({ removed: { tokens: ['one'] } })
    await laptop.session.meet()
    await meet(phone, laptop)
    await expectSame(laptop, phone)
    expect((await phone.storage.readTokens()).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c'])
  })

  it('stays deleted, and a revocation can’t be deleted', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const key = 'revocation:bafy-a'
    const revocation = { id: key, accountAddress: laptop.address, key, updatedAt: 1, sealed: 'm1.x' }
    await laptop.storage.addToken(token('a'), revocation)
    await meet(laptop, phone)
    await phone.storage.writeBatch({ removed: { tokens: ['a'], metadata: [key] } })
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await laptop.storage.readTokens()).toEqual([])
    expect(await phone.storage.readMetadataOf(key)).toEqual(revocation)
  })

  it('is not deleted by a clock that is ahead', async () => {
    const [laptop, phone] = await devices.two(await relay())
    const YEAR = 365 * 86_400_000
    const expiring = token('a', { expiresAt: laptop.clock.now() + YEAR, type: 'received' })
    await laptop.storage.addToken(expiring)
    phone.clock.set(phone.clock.now() + 5 * YEAR)
    await meet(laptop, phone)
    expect(await phone.storage.readTokens()).toEqual([])
    await laptop.storage.writeBatch({})
    expect(await laptop.storage.readToken('a')).toEqual(expiring)
    phone.clock.set(laptop.clock.now() - 10 * YEAR)
    await phone.session.open()
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await phone.storage.readToken('a')).toEqual(expiring)
    // The clean-up of a device whose clock is ahead is its own.
    await phone.storage.writeBatch(
      phone.storage.expiryBatch({ tokens: [expiring], sessions: [], forgotten: [] }),
    )
    await meet(laptop, phone)
    expect(await laptop.storage.readToken('a')).toEqual(expiring)
  })
})

describe('a removed device', () => {
  it('reads nothing that was written afterwards, and sends nothing', async () => {
    const world = await relay()
    const [laptop, phone] = await devices.two(world)
    await phone.storage.addToken(token('before'))
    await meet(phone, laptop)
    // At first the relay doesn't hear of it, so it refuses nothing.
    const { fetch } = laptop
    laptop.fetch = async (url, init) =>
      String(url).endsWith('/revocations') ? Response.json({}) : await fetch(url, init)
    await laptop.remove(phone)
    await laptop.storage.addToken(token('after'))
    await laptop.contact('ann', 'Ann')
    await laptop.session.meet()
    await phone.storage.addToken(token('own'))
    const before = await laptop.readAll()
    await phone.session.meet()
    expect(phone.session.status?.is_member).toBe(false)
    expect((await phone.storage.readTokens()).map(({ id }) => id).sort()).toEqual(['before', 'own'])
    expect(await phone.contacts()).toEqual({})
    expect(await laptop.readAll()).toEqual(before)
    await laptop.session.meet()
    expect((await laptop.storage.readTokens()).map(({ id }) => id).sort()).toEqual(['after', 'before'])
    // Also after it was started again.
    await phone.kill()
    await phone.revive()
    await phone.session.meet()
    expect(phone.session.status?.is_member).toBe(false)
    expect(await phone.contacts()).toEqual({})
    // It is told again by whoever is there next.
    laptop.fetch = fetch
    await laptop.kill()
    await laptop.revive()
    await laptop.session.meet()
    await expect(phone.session.meet()).rejects.toMatchObject({ why: 'refused', rule: 'Revoked' })
  })
})

describe('a relay that was not told of a removed device', () => {
  const isOfRevocation = (url: unknown) => String(url).endsWith('/revocations')

  /** Two devices are removed. The relay answers what is given instead of taking the revocations. */
  async function removed(answer: () => Promise<Response>) {
    const [laptop, phone] = await devices.two(await relay())
    const tablet = devices.make(laptop.relayWorld)
    await laptop.add(tablet)
    await meet(laptop, phone, tablet)
    const { fetch } = laptop
    const full = Response.json({ error: 'full' }, { status: 409 })
    laptop.fetch = async (url, init) => (isOfRevocation(url) ? full.clone() : await fetch(url, init))
    for (const other of [phone, tablet]) await laptop.remove(other)
    let asked = 0
    laptop.fetch = async (url, init) => {
      if (!isOfRevocation(url)) return await fetch(url, init)
      asked += 1
      return await answer()
    }
    return { laptop, asked: () => asked, isBack: () => Object.assign(laptop, { fetch }) }
  }

  it.each<[string, object, () => Promise<Response>]>([
    [
      'is busy',
      { why: 'busy', wait: 7_000 },
      async () =>
        Response.json({ error: 'too_many_requests' }, { status: 429, headers: { 'retry-after': '7' } }),
    ],
    ['is away', { why: 'network' }, () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('and %s says so, after everything else was sent', async (_, failure, answer) => {
    const { laptop, asked, isBack } = await removed(answer)
    await laptop.storage.addToken(token('new'))
    await expect(laptop.session.meet()).rejects.toMatchObject(failure)
    // The others aren't tried: it was asked to wait.
    expect(asked()).toBe(1)
    expect([laptop.session.untold, await laptop.session.waiting()]).toEqual([2, 0])
    isBack()
    await laptop.session.meet()
    expect(laptop.session.untold).toBe(0)
  })

  it('and refuses to be told is told of the others, and fails nothing', async () => {
    const { laptop, asked } = await removed(async () =>
      Response.json({ error: 'bad_request' }, { status: 400 }),
    )
    await laptop.session.meet()
    expect([asked(), laptop.session.untold]).toEqual([2, 2])
  })
})

describe('an account that gets its first device', () => {
  it('passes on what it already had', async () => {
    const [laptop, phone] = [devices.make(await relay()), devices.make(await relay())]
    phone.relayWorld = laptop.relayWorld
    await laptop.found()
    await laptop.storage.exchange({}, () => ({ tokens: [token('old')] }))
    const session = { id: 's', accountAddress: laptop.address, expiresAt: 9e12, createdAt: 1 }
    await laptop.storage.exchange({}, () => ({ sessions: [session] }))
    await laptop.add(phone)
    await laptop.session.markUnknown()
    await meet(laptop, phone)
    await expectSame(laptop, phone)
    expect(await phone.storage.readToken('old')).toEqual(token('old'))
    // A session that has ended on one has ended on the other.
    await phone.storage.removeSession('s')
    await meet(laptop, phone)
    expect(await laptop.storage.readSessions()).toEqual([])
    // What is known is not sent again.
    await laptop.session.markUnknown()
    expect(await laptop.session.waiting()).toBe(0)
  })
})
