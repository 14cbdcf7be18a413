// Browsers beside each other in one test: each has databases, local storage and tabs of its own.
import { AsyncLocalStorage } from 'node:async_hooks'
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, vi } from 'vitest'
import { MemoryStorage } from './browser.ts'

const current = new AsyncLocalStorage<TestBrowser>()

export class TestBrowser {
  readonly factory = new IDBFactory()
  readonly storage = new MemoryStorage()
  readonly id = crypto.randomUUID()

  /** The browser that the caller's work runs in. */
  static get here(): TestBrowser | undefined {
    return current.getStore()
  }

  /** Runs work, and everything that it starts, in this browser. */
  within<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, work)
  }
}

/** Until the end of each test, work belongs to the browser that it runs in. */
export function separateBrowsers(): void {
  const outside = new TestBrowser()
  const browser = () => current.getStore() ?? outside
  const { BroadcastChannel: Channel } = globalThis
  class OwnChannel extends Channel {
    constructor(name: string) {
      super(`${browser().id} ${name}`)
    }
  }
  beforeEach(() => {
    vi.stubGlobal('BroadcastChannel', OwnChannel)
    for (const [name, get] of [
      ['indexedDB', () => browser().factory],
      ['localStorage', () => browser().storage],
    ] as const) {
      // Restored with the other globals.
      vi.stubGlobal(name, undefined)
      Object.defineProperty(globalThis, name, { configurable: true, get })
    }
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}
