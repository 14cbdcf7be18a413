import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BOUNDS } from '../bounds.ts'
import type { RelayStore } from '../stores/store.ts'
import { HeldReads } from './held-reads.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A store with an empty mailbox, which takes so many milliseconds to read it, and hints at it so often. */
function storeThat({ takes = 0, hintsEvery = 0 }): RelayStore {
  return {
    async readMailbox() {
      await new Promise((resolve) => setTimeout(resolve, takes))
      return { until: Number.POSITIVE_INFINITY, message: undefined }
    },
    watch(tell: (hint: { mailbox: string }) => void) {
      if (hintsEvery === 0) return () => {}
      const timer = setInterval(() => tell({ mailbox: 'm' }), hintsEvery)
      return () => clearInterval(timer)
    },
  } as unknown as RelayStore
}

it.each([
  ['a slow store', { takes: 3_000 }],
  ['many hints', { takes: 0, hintsEvery: 100 }],
  ['a slow store with many hints', { takes: 400, hintsEvery: 100 }],
])(
  'holds a read for as long as it was asked to, and for one look at the store more: %s',
  async (_name, store) => {
    const reads = new HeldReads(storeThat(store), Date.now, BOUNDS)
    let ended: unknown
    reads.read('m', 25, new AbortController().signal).catch(({ code }) => {
      ended = code
    })
    await vi.advanceTimersByTimeAsync(24_900)
    expect(ended).toBeUndefined()
    await vi.advanceTimersByTimeAsync(200 + store.takes)
    expect(ended).toBe('authorization_pending')
  },
)
