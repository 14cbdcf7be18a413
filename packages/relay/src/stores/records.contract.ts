// The contract of every store, for the records of an account's devices.
import { describe, expect, it } from 'vitest'
import { BOUNDS, type Bounds } from '../bounds.ts'
import type { Hint, RelayStore } from './store.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (record: Uint8Array) => new TextDecoder().decode(record)

/** @param open opens a store of the place @param isExact whether it counts the bytes of all accounts exactly */
export function keepsRecords(
  open: (bounds?: Partial<Bounds>) => Promise<RelayStore>,
  place: () => { readonly isShared: boolean; readonly isExact: boolean },
): void {
  let made = 0
  const newAccount = () => {
    made += 1
    return `did:key:account-${made}`
  }
  const all = async (store: RelayStore, account: string) =>
    (await store.recordsFrom(account, 1, 1_000)).map(({ record }) => text(record))

  describe("an account's records", () => {
    it('have places from 1 on, and can be read from any of them', async () => {
      const store = await open()
      const account = newAccount()
      expect(await store.recordsFrom(account, 1, 10)).toEqual([])
      for (let at = 1; at <= 5; at += 1) {
        const added = await store.appendRecord({ account, record: bytes(`record ${at}`) })
        expect(added).toEqual({ result: 'appended', place: at })
      }
      await store.appendRecord({ account: newAccount(), record: bytes('of another account') })
      const records = await store.recordsFrom(account, 1, 10)
      expect(records.map(({ place, record }) => [place, text(record)])).toEqual(
        [1, 2, 3, 4, 5].map((at) => [at, `record ${at}`]),
      )
      expect(await store.recordsFrom(account, 3, 2)).toEqual(records.slice(2, 4))
      expect(await store.recordsFrom(account, 5, 10)).toEqual(records.slice(4))
      expect(await store.recordsFrom(account, 6, 10)).toEqual([])
    })

    it('are stored once, however often they are sent', async () => {
      const store = await open()
      const account = newAccount()
      await store.appendRecord({ account, record: bytes('one') })
      await store.appendRecord({ account, record: bytes('two') })
      const again = { account, record: bytes('one') }
      expect(await store.appendRecord(again)).toEqual({ result: 'known', place: 1 })
      // This includes a head whose answer was lost, although there are more heads by now than its author had read.
      const head = { account, record: bytes('head'), headsRead: 0 }
      expect(await store.appendRecord(head)).toEqual({ result: 'appended', place: 3 })
      expect(await store.appendRecord(head)).toEqual({ result: 'known', place: 3 })
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => store.appendRecord({ account, record: bytes('at once') })),
      )
      expect(answers.filter(({ result }) => result === 'appended')).toHaveLength(1)
      expect(await all(store, account)).toEqual(['one', 'two', 'head', 'at once'])
    })

    it('have no gap and no duplicate when they are appended at the same time', async () => {
      const account = newAccount()
      const stores = place().isShared ? [await open(), await open()] : [await open()]
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          (stores[at % stores.length] as RelayStore).appendRecord({ account, record: bytes(`${at}`) }),
        ),
      )
      const places = answers.map((each) => ('place' in each ? each.place : 0)).sort((a, b) => a - b)
      expect(places).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
      const found = await all(stores[0] as RelayStore, account)
      expect([...found].sort()).toEqual(Array.from({ length: 40 }, (_, at) => `${at}`).sort())
    })

    it('have a single line of heads: if several follow the same heads, one is appended', async () => {
      const account = newAccount()
      const stores = place().isShared ? [await open(), await open()] : [await open()]
      for (let turn = 0; turn < 3; turn += 1) {
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, at) =>
            (stores[at % stores.length] as RelayStore).appendRecord({
              account,
              record: bytes(`head ${turn} of ${at}`),
              headsRead: turn,
            }),
          ),
        )
        expect(answers.filter(({ result }) => result === 'appended')).toHaveLength(1)
        expect(answers.filter(({ result }) => result === 'conflict')).toHaveLength(7)
        // Log entries don't interfere.
        await stores[0]?.appendRecord({ account, record: bytes(`entry ${turn}`) })
      }
      const late = { account, record: bytes('late'), headsRead: 2 }
      expect(await stores[0]?.appendRecord(late)).toEqual({ result: 'conflict' })
    })

    it('keep every byte of the longest one, and come in pages', async () => {
      const store = await open()
      const account = newAccount()
      const long = Array.from({ length: 8 }, () => {
        const record = new Uint8Array(BOUNDS.recordLength)
        for (let at = 0; at < record.length; at += 65_536)
          crypto.getRandomValues(record.subarray(at, at + 65_536))
        return record
      })
      for (const record of long) await store.appendRecord({ account, record })
      const first = await store.recordsFrom(account, 1, 100)
      expect(first.length).toBeGreaterThan(0)
      expect(first.length).toBeLessThan(8)
      const found = [...first]
      while (found.length < 8) found.push(...(await store.recordsFrom(account, found.length + 1, 100)))
      expect(found.map(({ place: at }) => at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      for (const [at, { record }] of found.entries())
        expect(Buffer.compare(record, long[at] ?? new Uint8Array())).toBe(0)
    })

    it('are limited per account, and a full account stays readable', async () => {
      const store = await open({ recordsPerAccount: 3, recordBytesPerAccount: 100 })
      const account = newAccount()
      const append = (length: number, fill: number) =>
        store.appendRecord({ account, record: new Uint8Array(length).fill(fill) })
      expect(await append(60, 1)).toEqual({ result: 'appended', place: 1 })
      expect(await append(41, 2)).toEqual({ result: 'full', limit: 'account' })
      expect(await append(1, 3)).toEqual({ result: 'appended', place: 2 })
      expect(await append(1, 4)).toEqual({ result: 'appended', place: 3 })
      expect(await append(1, 5)).toEqual({ result: 'full', limit: 'account' })
      expect(await append(60, 1)).toEqual({ result: 'known', place: 1 })
      expect(await store.recordsFrom(account, 1, 10)).toHaveLength(3)
      const other = { account: newAccount(), record: bytes('other') }
      expect(await store.appendRecord(other)).toEqual({ result: 'appended', place: 1 })
    })

    it('of all accounts are limited in total', async () => {
      if (!place().isExact) return
      const bounded = await open({ recordBytes: 0 })
      const added = { account: newAccount(), record: bytes('one') }
      expect(await bounded.appendRecord(added)).toEqual({ result: 'full', limit: 'relay' })
    })

    it('cause hints', async () => {
      const store = await open()
      const account = newAccount()
      const hinted = new Promise<void>((resolve) => {
        const stop = store.watch((hint: Hint) => {
          if (!('account' in hint) || hint.account !== account) return
          stop()
          resolve()
        })
      })
      await store.appendRecord({ account, record: bytes('one') })
      await hinted
    })

    it('are shared by the stores of a place', async () => {
      if (!place().isShared) return
      const [one, two] = [await open(), await open()]
      const account = newAccount()
      await one.appendRecord({ account, record: bytes('one') })
      await two.appendRecord({ account, record: bytes('two') })
      expect(await all(one, account)).toEqual(['one', 'two'])
      expect(await all(two, account)).toEqual(['one', 'two'])
    })
  })
}
