// The contract of every claim store.
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ClaimStore } from './claim-store.ts'

/** A store that can be killed in the middle of its work. */
export interface Killable {
  /** Rejects without an answer, for example because of a kill. Then the claim may have been made. */
  claim(cid: string, until: number, now: number): Promise<boolean>
  /** Kills what stores the claims with SIGKILL, and starts it again. It is written to meanwhile. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Where stores of one kind keep their claims. */
export interface Place {
  /** Opens a store. */
  open(): Promise<ClaimStore>
  /** Whether all stores of the place share their claims. */
  readonly isShared: boolean
  /** Opens a store that can be killed; undefined for a kind that doesn't survive it. */
  killable: (() => Promise<Killable>) | undefined
  /** How often to kill it. `KEYHOLE_KILLS` in the environment sets it for all. */
  readonly kills: number
  end(): Promise<void>
}

/** Until when a claim lasts, and the time, in seconds. */
const NOW = Math.floor(Date.now() / 1_000)
const UNTIL = NOW + 3_600
/** How often to kill a store, if the environment says so. */
const KILLS = Number(process.env.KEYHOLE_KILLS ?? 0)
/** Who claims at the same time. */
const WRITERS = 16

let made = 0
const cid = () => {
  made += 1
  return `bafy-${process.pid}-${made}`
}

export function claimsOnce(name: string, makePlace: () => Promise<Place>): void {
  describe(`claims in ${name}`, { timeout: 600_000 + KILLS * 20_000 }, () => {
    let place: Place
    const opened: ClaimStore[] = []
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

    it('can be made once', async () => {
      const store = await open()
      const one = cid()
      expect(await store.claim(one, UNTIL, NOW)).toBe(true)
      expect(await store.claim(one, UNTIL, NOW)).toBe(false)
      expect(await store.claim(one, UNTIL + 1, NOW)).toBe(false)
      expect(await store.claim(cid(), UNTIL, NOW)).toBe(true)
    })

    it('can be made by one of many at the same time', async () => {
      const stores = await Promise.all([open(), open()])
      const one = cid()
      const claims = Array.from({ length: 64 }, (_, at) =>
        stores[place.isShared ? at % 2 : 0]?.claim(one, UNTIL, NOW),
      )
      expect((await Promise.all(claims)).filter((isFirst) => isFirst)).toHaveLength(1)
    })

    it('can be made until their end, and not after it', async () => {
      const store = await open()
      expect(await store.claim(cid(), NOW, NOW)).toBe(true)
      expect(await store.claim(cid(), NOW - 1, NOW)).toBe(false)
    })

    it('differ by every character', async () => {
      const store = await open()
      const one = cid()
      for (const other of [
        `${one}.`,
        `${one} *`,
        `${one}>`,
        one.toUpperCase(),
        `${one}\0`,
        `${one}${'x'.repeat(3_000)}`,
      ]) {
        expect(await store.claim(other, UNTIL, NOW)).toBe(true)
        expect(await store.claim(other, UNTIL, NOW)).toBe(false)
      }
      expect(await store.claim(one, UNTIL, NOW)).toBe(true)
    })

    it('fail when the store was closed', async () => {
      const store = await place.open()
      await store.close()
      await expect(store.claim(cid(), UNTIL, NOW)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    })

    // Last with this store: afterwards, no claim can be made that would end before the deleted ones.
    it("can't be made again with a clock that was set forward and back", async () => {
      const store = await open()
      const one = cid()
      expect(await store.claim(one, NOW + 100, NOW)).toBe(true)
      for (let count = 0; count < 50; count += 1) await store.claim(cid(), NOW + 10_200, NOW + 10_000)
      expect(await store.claim(one, NOW + 100, NOW)).toBe(false)
    })

    it('that were acknowledged are never made twice, however often the store is killed', async ({ skip }) => {
      if (!place.killable) return skip('This kind of store is as long as its process.')
      const store = await place.killable()
      await staysMadeOnce(store, KILLS || place.kills)
      await store.close()
    })
  })
}

/** Kills a store again and again, while it is written to. Fails if a claim was made twice. */
export async function staysMadeOnce(store: Killable, kills: number): Promise<void> {
  /** Attempts for each invocation that were answered yes. */
  const accepted = new Map<string, number>()
  const tried: string[] = []
  let isOver = false
  const attempt = async (one: string) => {
    // Without an answer the claim may have been made. A store that is dead answers so at once: the killing needs its turn.
    const isFirst = await store.claim(one, UNTIL, NOW).catch(() => setImmediate(false))
    if (isFirst) accepted.set(one, (accepted.get(one) ?? 0) + 1)
  }
  const write = async () => {
    while (!isOver) {
      const one = cid()
      tried.push(one)
      // Twice at once, and one from before.
      const before = tried[(made * 31) % tried.length] ?? one
      await Promise.all([attempt(one), attempt(one), attempt(before)])
    }
  }
  const killAll = async () => {
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const enough = accepted.size + 1 + ((kill * 7) % 40)
        const isEnough = () => expect(accepted.size).toBeGreaterThanOrEqual(enough)
        await vi.waitFor(isEnough, { timeout: 120_000, interval: 5 })
        await store.kill()
      }
    } finally {
      isOver = true
    }
  }
  await Promise.all([killAll(), ...Array.from({ length: WRITERS }, write)])
  expect(accepted.size).toBeGreaterThan(kills)
  expect([...accepted].filter(([, times]) => times !== 1)).toEqual([])
  const isUnused = (one: string) => vi.waitFor(() => store.claim(one, UNTIL, NOW), { timeout: 60_000 })
  const all = [...accepted.keys()]
  for (let at = 0; at < all.length; at += 256)
    expect(new Set(await Promise.all(all.slice(at, at + 256).map(isUnused)))).toEqual(new Set([false]))
}
