import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { closeSharedEnclave, makeRelay, type World } from '../../../../relay/src/test/relay.ts'
import { type TestDevice, TestDevices } from '../../test/two-devices.ts'

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

describe('names', () => {
  it('are the same on both devices, whoever gave or removed them', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.name({ of: 'account' }, 'Ada')
    await meet(laptop, phone)
    const [key = ''] = await phone.keyIds()
    const [method = ''] = await phone.methodIds()
    expect(await phone.names()).toEqual({ account: 'Ada' })
    await phone.name({ of: 'key', id: key }, 'work')
    await phone.name({ of: 'method', id: method }, 'yellow key')
    await meet(phone, laptop)
    const all = { account: 'Ada', [`key:${key}`]: 'work', [`method:${method}`]: 'yellow key' }
    expect([await laptop.names(), await phone.names()]).toEqual([all, all])
    await laptop.name({ of: 'account' }, '')
    await meet(laptop, phone)
    const { account: _, ...rest } = all
    expect([await laptop.names(), await phone.names()]).toEqual([rest, rest])
  })

  it('that were given before the account had devices are told', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.name({ of: 'account' }, 'Before', false)
    await meet(laptop, phone)
    expect(await phone.names()).toEqual({ account: 'Before' })
  })

  it('are the same in the end if both gave one apart, and none comes back', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await laptop.name({ of: 'account' }, 'Ada')
    await phone.name({ of: 'account' }, 'Eve')
    await meet(laptop, phone)
    expect(await laptop.names()).toEqual(await phone.names())
    await phone.name({ of: 'account' }, 'Zoe')
    await meet(laptop, phone)
    expect([await laptop.names(), await phone.names()]).toEqual([{ account: 'Zoe' }, { account: 'Zoe' }])
  })

  it('are kept if the device is killed at any step', { timeout: 300_000 }, async () => {
    const [laptop, phone] = await devices.two(await relay())
    let [at, isKilled] = [0, true]
    for (; isKilled; at += 1) {
      await laptop.name({ of: 'account' }, `Ada ${at}`)
      isKilled = await laptop.killedAfter(at, () => laptop.session.meet())
      expect(await laptop.names()).toEqual({ account: `Ada ${at}` })
    }
    await meet(laptop, phone)
    expect(await phone.names()).toEqual({ account: `Ada ${at - 1}` })
  })

  it('that no vault gives are not taken, and stop nothing', async () => {
    const [laptop, phone] = await devices.two(await relay())
    await phone.session.say({ kind: 'label', id: 'account', value: 'x'.repeat(201) })
    await phone.session.say({ kind: 'label', id: 'key:none', value: 'x' })
    await phone.session.say({ kind: 'label', id: 'method:none', value: 'x' })
    await laptop.name({ of: 'account' }, 'Ada', false)
    await meet(phone, laptop)
    expect(await laptop.names()).toEqual({ account: 'Ada' })
    expect(await phone.names()).toEqual({ account: 'Ada' })
  })
})
