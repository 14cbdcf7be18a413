import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const browser = vi.hoisted(() => ({ isVaultKnown: true }))
vi.mock('../browser/known-vault.ts', () => ({ isVaultKnown: () => browser.isVaultKnown }))

/** Locks that are shared, as a browser keeps them. */
function fakeLocks() {
  const held: { name: string }[] = []
  return {
    request: async (name: string, _options: unknown, work: () => Promise<void>) => {
      const lock = { name }
      held.push(lock)
      await work()
      held.splice(held.indexOf(lock), 1)
    },
    query: async () => ({ held: [...held] }),
  }
}

beforeEach(() => {
  vi.stubGlobal('navigator', { locks: fakeLocks() })
})
afterEach(() => {
  vi.unstubAllGlobals()
  browser.isVaultKnown = true
})

/** As a new document has it. */
const load = async () => {
  vi.resetModules()
  return await import('./open-mark.ts')
}

test('a vault looks locked unless a tab has it open, and where there is none it doesn’t', async () => {
  browser.isVaultKnown = false
  expect(await (await load()).looksLocked()).toBe(false)
  browser.isVaultKnown = true
  const first = await load()
  expect(first.lookedLocked()).toBe(false)
  expect(await first.looksLocked()).toBe(true)
  expect(first.lookedLocked()).toBe(true)
  const [here, there] = [first.markOpen(), (await load()).markOpen()]
  expect(await (await load()).looksLocked()).toBe(false)
  here()
  expect(await (await load()).looksLocked()).toBe(false)
  there()
  await vi.waitFor(async () => expect(await (await load()).looksLocked()).toBe(true))
})

test('without locks it looks locked', async () => {
  vi.stubGlobal('navigator', {})
  const { looksLocked, markOpen } = await load()
  markOpen()()
  expect(await looksLocked()).toBe(true)
})
