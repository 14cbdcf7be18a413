// The contract of every store of budgets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BudgetStore, Spend } from './budget-store.ts'

type Opened = BudgetStore & { close(): Promise<void> }

/** A store that can be killed in the middle of its work. Its `spend` rejects without an answer then. */
export interface KillableBudgets extends BudgetStore {
  /** Kills what stores the budgets with SIGKILL, and starts it again. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Where stores of one kind keep their budgets. All that it opens share them. */
export interface BudgetPlace {
  open(): Promise<Opened>
  killable(): Promise<KillableBudgets>
  /** How often to kill it. `KEYHOLE_KILLS` in the environment sets it for all. */
  readonly kills: number
  end(): Promise<void>
}

/** The time, and when a period ends, in seconds. */
const NOW = Math.floor(Date.now() / 1_000)
const UNTIL = NOW + 3_600
const WRITERS = 8

let made = 0
const id = () => {
  made += 1
  return `budget-${process.pid}-${made}`
}
const spend = (of: string, amount: number, most: number, until = UNTIL): Spend => ({
  id: of,
  amount,
  most,
  until,
})

export function countsBudgets(name: string, makePlace: () => Promise<BudgetPlace>): void {
  describe(`budgets in ${name}`, { timeout: 600_000 }, () => {
    let place: BudgetPlace
    const opened: Opened[] = []
    beforeAll(async () => {
      place = await makePlace()
    }, 120_000)
    afterAll(async () => {
      for (const store of opened) await store.close()
      await place.end()
    }, 60_000)
    const open = async () => {
      const store = await place.open()
      opened.push(store)
      return store
    }
    /** How much of a budget is left. */
    const leftOf = async (store: BudgetStore, of: string, most: number): Promise<number> => {
      for (let left = most; left > 0; left -= 1)
        if ((await store.spend([spend(of, left, most)], NOW)) === undefined) return left
      return 0
    }

    it('are used up, and not beyond', async () => {
      const [store, one] = [await open(), id()]
      expect(await store.spend([spend(one, 3, 10)], NOW)).toBeUndefined()
      expect(await store.spend([spend(one, 8, 10)], NOW)).toBe(0)
      expect(await store.spend([spend(one, 7, 10)], NOW)).toBeUndefined()
      expect(await store.spend([spend(one, 1, 10)], NOW)).toBe(0)
      expect(await store.spend([spend(one, 0, 10)], NOW)).toBeUndefined()
      expect(await store.spend([spend(one, 1, 11)], NOW)).toBeUndefined()
      expect(await store.spend([], NOW)).toBeUndefined()
    })

    it('are used together, or not at all', async () => {
      const [store, one, two, three] = [await open(), id(), id(), id()]
      expect(await store.spend([spend(two, 5, 5)], NOW)).toBeUndefined()
      const all = [spend(one, 2, 5), spend(two, 1, 5), spend(three, 9, 9)]
      expect(await store.spend(all, NOW)).toBe(1)
      expect(await leftOf(store, one, 5)).toBe(5)
      expect(await leftOf(store, three, 9)).toBe(9)
      expect(await store.spend([spend(id(), 1, 1), spend(id(), 2, 1)], NOW)).toBe(1)
    })

    it('add up to amounts that are large and exact', async () => {
      const [store, one] = [await open(), id()]
      const most = Number.MAX_SAFE_INTEGER
      expect(await store.spend([spend(one, most - 1, most)], NOW)).toBeUndefined()
      expect(await store.spend([spend(one, 2, most)], NOW)).toBe(0)
      expect(await store.spend([spend(one, 1, most)], NOW)).toBeUndefined()
      expect(await store.spend([spend(one, 1, most)], NOW)).toBe(0)
    })

    it('of many at the same time are never exceeded, in whatever order they are named', async () => {
      const stores = await Promise.all([open(), open(), open()])
      const [one, two] = [id(), id()]
      const [most, tries] = [20, 60]
      const answers = await Promise.all(
        Array.from({ length: tries }, async (_, at) => {
          const both = [spend(one, 1, most), spend(two, 2, 2 * most + 1)]
          return await stores[at % 3]?.spend(at % 2 ? both : both.toReversed(), NOW)
        }),
      )
      expect(answers.filter((short) => short === undefined)).toHaveLength(most)
      expect(await leftOf(stores[0], two, 2 * most + 1)).toBe(1)
    })

    it('differ by every character', async () => {
      const [store, one] = [await open(), id()]
      for (const other of [
        one,
        `${one}.`,
        `${one} *`,
        `${one}>`,
        one.toUpperCase(),
        `${one}\0`,
        `${one}${'x'.repeat(3_000)}`,
      ])
        expect(await store.spend([spend(other, 1, 1)], NOW)).toBeUndefined()
      expect(await store.spend([spend(one, 1, 1)], NOW)).toBe(0)
    })

    it('can be used until their period ends, and not after it', async () => {
      const [store, one] = [await open(), id()]
      expect(await store.spend([spend(one, 1, 2, NOW)], NOW)).toBeUndefined()
      expect(await store.spend([spend(one, 1, 2, NOW)], NOW + 1)).toBe(0)
      expect(await store.spend([spend(id(), 1, 1), spend(one, 1, 2, NOW - 1)], NOW)).toBe(1)
    })

    it('fail when the store was closed', async () => {
      const store = await place.open()
      await store.close()
      await expect(store.spend([spend(id(), 1, 1)], NOW)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    })

    it('are never exceeded, and nothing that was acknowledged is forgotten, however often the store is killed', async () => {
      const kills = Number(process.env.KEYHOLE_KILLS ?? place.kills)
      const store = await place.killable()
      // Each round has budgets that run out in it, and one that all rounds share.
      const shared = { id: id(), most: 1_000_000 }
      let used = 0
      for (let kill = 0; kill < kills; kill += 1) {
        const own = { id: id(), most: 60 }
        let [ofOwn, tries, enough] = [0, 0, 1 + ((kill * 7) % 40)]
        let killing: Promise<void> | undefined
        const write = async () => {
          while (tries < 400 && !(killing && ofOwn + tries > 100)) {
            tries += 1
            const both = [spend(own.id, 2, own.most), spend(shared.id, 3, shared.most)]
            const short = await store.spend(tries % 2 ? both : both.toReversed(), NOW).catch(() => 'unknown')
            if (short === undefined) {
              ofOwn += 2
              used += 3
            }
            if (ofOwn >= enough) killing ??= store.kill()
          }
        }
        await Promise.all(Array.from({ length: WRITERS }, write))
        killing ??= store.kill()
        await killing
        enough = 0
        expect(ofOwn).toBeLessThanOrEqual(own.most)
        // What was acknowledged is still counted.
        expect(await store.spend([spend(own.id, own.most - ofOwn + 1, own.most)], NOW)).toBe(0)
      }
      expect(used).toBeGreaterThan(0)
      expect(await store.spend([spend(shared.id, shared.most - used + 1, shared.most)], NOW)).toBe(0)
      await store.close()
    })
  })
}
