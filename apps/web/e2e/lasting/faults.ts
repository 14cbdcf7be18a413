import type { Page } from '@playwright/test'

/** Where a page was stopped: the number of the step, and what it was about to do. */
export interface Stop {
  readonly step: number
  readonly what: string
}

/** What the page logs at that step. */
const STOPPED = 'reached step '

declare global {
  interface Window {
    /** Counts steps from now on, and stops the page for good at this one. 0 never stops it. */
    stopAtStep(step: number): void
    /** The same, but the page only says that it has got there, and goes on. */
    tellAtStep(step: number): void
    /** The steps since then, by name. */
    stepsTaken(): string[]
  }
}

/**
 * Counts every step in which a page touches the disk, a lock, a worker or another tab, and can make one of them the last: the step isn't
 * taken, and nothing in the page runs after it. Runs before the page's own scripts.
 */
function countSteps(stopped: string): void {
  let last = 0
  let goesOn = false
  let steps: string[] = []
  const step = (what: string): void => {
    steps.push(what)
    if (last === 0 || steps.length !== last) return
    console.debug(`${stopped}${last}: ${what}`)
    while (!goesOn);
  }
  window.stopAtStep = (at) => {
    last = at
    goesOn = false
    steps = []
  }
  window.tellAtStep = (at) => {
    window.stopAtStep(at)
    goesOn = true
  }
  window.stepsTaken = () => steps

  const wrap = (owner: object, kind: string, names: readonly string[]): void => {
    for (const name of names) {
      const original: unknown = Reflect.get(owner, name)
      if (typeof original !== 'function') throw new Error(`There is no ${kind}.${name}`)
      Object.defineProperty(owner, name, {
        configurable: true,
        writable: true,
        value(this: unknown, ...parts: unknown[]) {
          const what = typeof parts[0] === 'string' ? parts[0].replace(/[0-9a-f-]{36}/g, '…') : ''
          step(`${kind}.${name} ${what}`.trim())
          return Reflect.apply(original, this, parts)
        },
      })
    }
  }
  wrap(IDBFactory.prototype, 'IDBFactory', ['open', 'deleteDatabase'])
  wrap(IDBObjectStore.prototype, 'IDBObjectStore', ['put', 'add', 'delete', 'clear'])
  wrap(IDBTransaction.prototype, 'IDBTransaction', ['commit'])
  wrap(FileSystemFileHandle.prototype, 'FileSystemFileHandle', ['createWritable', 'move'])
  wrap(FileSystemHandle.prototype, 'FileSystemHandle', ['remove'])
  wrap(FileSystemDirectoryHandle.prototype, 'FileSystemDirectoryHandle', ['removeEntry'])
  wrap(FileSystemWritableFileStream.prototype, 'FileSystemWritableFileStream', ['write'])
  wrap(WritableStream.prototype, 'WritableStream', ['close'])
  wrap(Storage.prototype, 'Storage', ['setItem', 'removeItem'])
  wrap(LockManager.prototype, 'LockManager', ['request'])
  wrap(MessagePort.prototype, 'MessagePort', ['postMessage'])
  wrap(BroadcastChannel.prototype, 'BroadcastChannel', ['postMessage'])

  // The transaction is committed but the page doesn't know yet: our listener runs first.
  const { transaction } = IDBDatabase.prototype
  Object.defineProperty(IDBDatabase.prototype, 'transaction', {
    configurable: true,
    writable: true,
    value(this: IDBDatabase, ...parts: unknown[]) {
      const made: IDBTransaction = Reflect.apply(transaction, this, parts)
      if (made.mode !== 'readonly')
        made.addEventListener('complete', () => step('IDBTransaction is complete'))
      return made
    },
  })
  // The enclave has finished, but the page hasn't been told yet.
  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')
  Object.defineProperty(MessageEvent.prototype, 'data', {
    ...data,
    get(this: MessageEvent) {
      step('a message comes in')
      return data?.get?.call(this)
    },
  })
}

/** Counts a page's steps. Call it before the page's first navigation. */
export async function watchSteps(page: Page): Promise<void> {
  await page.addInitScript(countSteps, STOPPED)
}

/** Resolves when the page has stopped, or told that it has got to its step. */
export async function whenStopped(page: Page): Promise<Stop> {
  const message = await page.waitForEvent('console', (each) => each.text().startsWith(STOPPED))
  const [step = '', what = ''] = message
    .text()
    .slice(STOPPED.length)
    .split(/: (.*)/s)
  return { step: Number(step), what }
}
