import type { Enclave } from '@keyhole/enclave'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { BOUNDS } from '../../../../relay/src/bounds.ts'
import { memoryStore } from '../../../../relay/src/stores/memory-store.ts'
import { closeSharedEnclave, makeRelay } from '../../../../relay/src/test/relay.ts'
import { type TestDevice, TestDevices } from '../../test/two-devices.ts'
import { inCalls, openStored } from './open-stored.ts'
import { MOST_AT_ONCE } from './stored-records.ts'

afterAll(closeSharedEnclave)
const devices = new TestDevices()

/** How the enclave is opened from what is stored, and what it answers. */
async function opened(device: TestDevice, storage = device.storage) {
  const calls: { input: { records: string[]; pages: unknown[]; marks: string[] }; answer: unknown }[] = []
  const { enclave } = device
  const call = enclave.callByName.bind(enclave)
  const spied = vi.spyOn(enclave, 'callByName').mockImplementation(async (name, input) => {
    const answer = await call(name, input)
    if (name === 'open_device') calls.push({ input: Object(input), answer })
    return answer
  })
  const { status, fits } = await openStored(enclave as Enclave, storage)
  spied.mockRestore()
  return { status, fits, calls }
}

/** A device that has read its changes one at a time. */
async function device(): Promise<TestDevice> {
  const world = await makeRelay({ store: memoryStore(BOUNDS), clock: Date.now })
  const laptop = devices.make(world)
  await laptop.found()
  for (const name of ['Ann', 'Bob', 'Cem', 'Dora']) {
    await laptop.contact(name, name)
    await laptop.session.settle()
    await laptop.session.meet()
  }
  return laptop
}

describe('a device that is opened', () => {
  it('is handed all pages at once, and checks no signature again', async () => {
    const laptop = await device()
    const first = await opened(laptop)
    expect(first.calls).toHaveLength(1)
    expect(first.calls[0]?.input.pages.length).toBeGreaterThan(3)
    expect(first.calls[0]?.input.records).toEqual([])
    const records = await laptop.storage.readMetadataUnder('device-record:')
    expect(records.map((record) => Object(record).mark)).toEqual(records.map(() => expect.any(String)))
    const second = await opened(laptop)
    expect(second.calls[0]?.input.marks).toHaveLength(records.length)
    expect(second.calls[0]?.answer).toMatchObject({ marks: [], fits: true })
    expect({ ...second.status, marks: [] }).toEqual({ ...first.status, marks: [] })
    expect(second.status).toMatchObject({ next: records.length + 1, unsent: 0, missing: 0 })
  })

  it('is the same if its marks can’t be stored, or were changed', async () => {
    const laptop = await device()
    const { status } = await opened(laptop)
    const records = await laptop.storage.readMetadataUnder('device-record:')
    const changed = records.map((record) => ({ ...record, mark: 'A'.repeat(22) }))
    await laptop.storage.exchange({}, () => ({ metadata: changed.slice(1) }))
    const exchange = vi.spyOn(laptop.storage, 'exchange').mockRejectedValue(new Error('full'))
    const again = await opened(laptop)
    expect({ ...again.status, marks: [] }).toEqual({ ...status, marks: [] })
    exchange.mockRestore()
    const mended = await opened(laptop)
    expect({ ...mended.status, marks: [] }).toEqual({ ...status, marks: [] })
    expect(await laptop.storage.readMetadataUnder('device-record:')).toEqual(records)
  })

  it('has everything if its pages don’t fit, and reads the relay from the beginning', async () => {
    const laptop = await device()
    const { status } = await opened(laptop)
    const [page] = (await laptop.storage.readMetadataUnder('device-record:')).filter(
      (record) => Object(record).place === 3,
    )
    if (!page) throw new Error('Nothing is in the third place.')
    const before = Buffer.alloc(32, 9).toString('base64url')
    await laptop.storage.exchange({}, () => ({ metadata: [{ ...page, before } as typeof page] }))
    const again = await opened(laptop)
    expect(again.fits).toBe(false)
    expect(again.status).toMatchObject({ next: 1, went_back: 0, missing: 0, members: status.members })
    await laptop.session.open()
    await laptop.session.meet()
    expect(laptop.session.status).toMatchObject({ next: status.next, went_back: 0, unsent: 0 })
  })
})

describe('what is stored', () => {
  const long = 'A'.repeat(MOST_AT_ONCE / 2)
  const page = (...records: string[]) => ({ before: 'zero', records })

  it('is handed over in as few calls as the plugin takes, in its order', () => {
    expect(inCalls({ others: [], pages: [] })).toEqual([{ records: [], pages: [] }])
    expect(inCalls({ others: ['a', 'b'], pages: [page('c'), page('d', 'e')] })).toEqual([
      { records: ['a', 'b'], pages: [page('c'), page('d', 'e')] },
    ])
    const calls = inCalls({ others: [long, 'b'], pages: [page(long), page('d'), page(long, long, long)] })
    expect(calls).toEqual([
      { records: [long, 'b'], pages: [] },
      { records: [], pages: [page(long), page('d')] },
      { records: [], pages: [page(long, long, long)] },
    ])
  })

  it('has no place behind a gap', async () => {
    const laptop = await device()
    const { status } = await opened(laptop)
    const answers = [
      { ...status, fits: false },
      { ...status, fits: true },
    ]
    const calls: unknown[] = []
    const callByName = async (_: unknown, input: unknown) => {
      calls.push(input)
      return answers[calls.length - 1]
    }
    const record = (sealed: string, fields: object) => ({
      id: `device-record:${sealed.slice(0, 3)}`,
      accountAddress: 'kh1a',
      key: `device-record:${sealed.slice(0, 3)}`,
      updatedAt: 1,
      sealed,
      ...fields,
    })
    const storage = {
      readMetadataUnder: async () => [
        record(`oneA${long}`, { place: 1, before: 'zero' }),
        record(`twoA${long}`, { place: 2, before: 'none' }),
      ],
    }
    const { fits } = await openStored({ callByName } as never, storage as never)
    expect(fits).toBe(false)
    expect(calls).toEqual([
      { records: [], pages: [page(`oneA${long}`)], marks: [] },
      { records: [`twoA${long}`], marks: [], goes_on: true },
    ])
  })
})
