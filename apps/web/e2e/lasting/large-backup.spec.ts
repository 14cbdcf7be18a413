// A backup of many tokens, out and in again, by the pages' own vault. KEYHOLE_TOKENS=200000 makes it the long form.
import type { Page } from '@playwright/test'
import { STRANGER } from '../tasks/support/person.ts'
import { expect, openVaultPage, test } from './fixtures.ts'

const PASSPHRASE = 'violet anvil harbour thirty'
const FILE_PASSPHRASE = 'granite sparrow window forty'
const TOKENS = Number(process.env.KEYHOLE_TOKENS ?? 5_000)

declare global {
  interface Window {
    /** The backup that was written. */
    backup: Blob
    /** How many tokens were done whenever progress was told, and the longest time without, in milliseconds. */
    told: { counts: number[]; longest: number }
  }
}

/** Makes an account with that many tokens of about 1 KB. */
async function makeAccount(page: Page): Promise<void> {
  await page.evaluate(
    async ([passphrase, audience_did, tokens]) => {
      const vault = await window.openVault()
      const { address } = await vault.create({ passphrase })
      const meta = { note: 'x'.repeat(500) }
      await vault.grant({ audience_did, command: '/msg/send', meta, label: 'The first' })
      const [first] = await vault.client.getPersistedTokens()
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(`vault_${address}`)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      const { sealedLabel: _, ...record } = first ?? {}
      for (let at = 1; at < tokens; ) {
        const transaction = database.transaction('tokens', 'readwrite', { durability: 'relaxed' })
        for (let end = Math.min(tokens, at + 5_000); at < end; at += 1) {
          const key = String(at).padStart(8, '0')
          transaction.objectStore('tokens').put({ ...record, id: `many-${key}`, cid: `bafymany${key}` })
        }
        await new Promise((resolve, reject) => {
          transaction.oncomplete = resolve
          transaction.onerror = () => reject(transaction.error)
        })
      }
      database.close()
    },
    [PASSPHRASE, STRANGER, TOKENS] as const,
  )
}

test('a backup of many tokens is written and read with progress, and a stop ends it', async ({
  profile,
  site,
}) => {
  test.setTimeout(TOKENS > 5_000 ? 3_600_000 : 180_000)
  const page = await profile.start()
  await openVaultPage(page, site)
  await makeAccount(page)
  const written = await page.evaluate(
    async ([passphrase, exportPassphrase]) => {
      let last = performance.now()
      window.told = { counts: [], longest: 0 }
      const stop = new AbortController()
      const request = { proof: { passphrase }, exportPassphrase }
      const onProgress = () => stop.abort(new Error('stopped'))
      const stopped = await window.vault
        .exportVault({ ...request, signal: stop.signal, onProgress })
        .catch((error: Error) => error.message)
      const { file, skipped } = await window.vault.exportVault({
        ...request,
        onProgress: (done) => {
          const now = performance.now()
          if (window.told.counts.length > 0) window.told.longest = Math.max(window.told.longest, now - last)
          last = now
          window.told.counts.push(done)
        },
      })
      window.backup = file
      return { stopped, skipped, size: file.size, longest: window.told.longest }
    },
    [PASSPHRASE, FILE_PASSPHRASE] as const,
  )
  expect(written).toMatchObject({ stopped: 'stopped', skipped: [] })
  const brought = await page.evaluate(
    async ([passphrase, exportPassphrase]) => {
      const { vault, backup } = window
      const { address = '' } = vault.getSnapshot()
      await vault.removeAccount(address)
      const request = { text: backup, exportPassphrase, passphrase }
      const stop = new AbortController()
      const onProgress = () => stop.abort(new Error('stopped'))
      const stopped = await vault
        .importVault({ ...request, signal: stop.signal, onProgress })
        .catch((error: Error) => error.message)
      const { phase } = vault.getSnapshot()
      const counts: number[] = []
      let [last, longest, at] = [performance.now(), 0, 0]
      const imported = await vault.importVault({
        ...request,
        onProgress: (done) => {
          const now = performance.now()
          // Where the longest time without progress was.
          if (counts.length > 0 && now - last > longest) [longest, at] = [now - last, done]
          last = now
          counts.push(done)
        },
      })
      const tokens = await vault.client.storage.count('tokens')
      return { stopped, phase, imported, tokens, told: counts.length, last: counts.at(-1), longest, at }
    },
    [PASSPHRASE, FILE_PASSPHRASE] as const,
  )
  expect(brought).toMatchObject({
    ...{ stopped: 'stopped', phase: 'empty', tokens: TOKENS, last: TOKENS },
    imported: { tokens: TOKENS, created: true },
  })
  expect(brought.told).toBeGreaterThan(10)
  console.log(JSON.stringify({ tokens: TOKENS, export: written, import: brought }))
})
