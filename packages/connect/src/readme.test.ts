import { readFile } from 'node:fs/promises'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, expect, it, vi } from 'vitest'
import { connectVault } from './test/example.ts'
import { FakePage, VAULT } from './test/vault.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it("the README's example runs, and matches the README", async () => {
  const page = new FakePage()
  vi.stubGlobal('window', page)
  vi.stubGlobal('indexedDB', new IDBFactory())
  const granted = connectVault(VAULT)
  await page.grant()
  expect(await granted).toMatchObject({ effective: { command: '/msg/send' } })
  const declined = connectVault(VAULT)
  await page.decline()
  expect(await declined).toBeUndefined()
  const [readme, example] = await Promise.all(
    ['../README.md', './test/example.ts'].map((path) => readFile(new URL(path, import.meta.url), 'utf8')),
  )
  expect(readme).toContain(example)
})
