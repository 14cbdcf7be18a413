// Writes and reads a backup of many tokens in the page's own vault. KEYHOLE_TOKENS=200000 runs the long form.
import type { Page } from '@playwright/test'
import { STRANGER } from '../tasks/support/person.ts'
import { type BrowserMemory, readMemory, withPeak } from './browser-memory.ts'
import { expect, openVaultPage, test } from './fixtures.ts'

const PASSPHRASE = 'violet anvil harbour thirty'
const FILE_PASSPHRASE = 'granite sparrow window forty'
const TOKENS = Number(process.env.KEYHOLE_TOKENS ?? 5_000)
const IS_LONG = TOKENS > 5_000

declare global {
  interface Window {
    /** The backup that was written. */
    backup: Blob
    /** Runs work to its end, or stops it once it has reported this many tokens. */
    watch<T>(work: (options: Watched) => Promise<T>, stopAt?: number): Promise<Watch<T>>
  }
}

interface Watched {
  readonly signal: AbortSignal
  readonly onProgress: (done: number) => void
}

/** What was measured. Times are in milliseconds. */
interface Watch<T> {
  readonly result?: T
  /** How it failed. */
  readonly error?: string
  /** How often progress was reported, and the last value. */
  readonly told: number
  readonly last: number
  /** The longest time without a progress report, the progress at the end of it, and the time from the last report to the end. */
  readonly longest: number
  readonly at: number
  readonly rest: number
  /** The longest time in which progress stayed the same, such as while a key is derived or the account opened or saved. */
  readonly still: number
  /** From the stop until the work ended. */
  readonly stopping: number
  /** From the start to the first progress report, and to the end. */
  readonly first: number
  readonly took: number
}

/** Runs in the page. */
function addWatch(): void {
  window.watch = async (work, stopAt) => {
    const stop = new AbortController()
    let [told, done, longest, at, stopped, first, still] = [0, 0, 0, 0, 0, 0, 0]
    const begin = performance.now()
    let last = begin
    let risen = begin
    const onProgress = (now: number) => {
      const time = performance.now()
      if (told === 0) first = time - begin
      if (told > 0 && time - last > longest) [longest, at] = [time - last, now]
      still = Math.max(still, time - risen)
      if (now !== done) risen = time
      ;[last, done] = [time, now]
      told += 1
      if (stopAt === undefined || now < stopAt || stop.signal.aborted) return
      stopped = performance.now()
      stop.abort(new Error('stopped'))
    }
    const seen = await work({ signal: stop.signal, onProgress }).then(
      (result) => ({ result }),
      (error: Error) => ({ error: error.message }),
    )
    const end = performance.now()
    return {
      ...{ ...seen, told, last: done, longest, at, first, still },
      ...{ rest: end - last, stopping: stopped > 0 ? end - stopped : 0, took: end - begin },
    }
  }
}

/** Creates an account with that many tokens of about 1 KB. */
async function makeAccount(page: Page): Promise<void> {
  await page.evaluate(
    async ([passphrase, audience_did, tokens]) => {
      const vault = await window.openVault()
      const { address } = await vault.create({ passphrase })
      const meta = { note: 'x'.repeat(500) }
      await vault.tokens.grant({ audience_did, command: '/msg/send', meta, label: 'The first' })
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

/** Writes a backup. @param stopAt stops it after this many tokens */
async function write(page: Page, stopAt?: number) {
  return await page.evaluate(
    async ([passphrase, exportPassphrase, at]) =>
      await window.watch(async (watched) => {
        const request = { proof: { passphrase }, exportPassphrase, ...watched }
        const { file, skipped } = await window.vault.exportVault(request)
        window.backup = file
        return { skipped, size: file.size }
      }, at),
    [PASSPHRASE, FILE_PASSPHRASE, stopAt] as const,
  )
}

/** Reads the backup into a browser without the account. @param stopAt stops it after this many tokens */
async function read(page: Page, stopAt?: number) {
  return await page.evaluate(
    async ([passphrase, exportPassphrase, at]) => {
      const request = { text: window.backup, exportPassphrase, passphrase }
      return await window.watch((watched) => window.vault.importVault({ ...request, ...watched }), at)
    },
    [PASSPHRASE, FILE_PASSPHRASE, stopAt] as const,
  )
}

const phase = (page: Page) => page.evaluate(() => window.vault.getSnapshot().phase)

test('a backup of many tokens is written and read with progress, and can be stopped', async ({
  profile,
  site,
}) => {
  test.setTimeout(IS_LONG ? 3_600_000 : 180_000)
  const page = await profile.start()
  await openVaultPage(page, site)
  await page.evaluate(addWatch)
  await makeAccount(page)
  const group = profile.processGroup
  const before = readMemory(group)

  const unwritten = await write(page, Math.floor(TOKENS * 0.1))
  expect(unwritten).toMatchObject({ error: 'stopped' })
  expect(unwritten.last).toBeLessThan(TOKENS)
  const { result: written, peak: writing } = await withPeak(group, () => write(page))
  expect(written).toMatchObject({ result: { skipped: [] }, last: TOKENS })

  await page.evaluate(() => window.vault.accounts.remove(window.vault.getSnapshot().address ?? ''))
  // Progress counts checking as the first half and writing as the second.
  const stops = []
  for (const share of [0.1, 0.75]) {
    const stopped = await read(page, Math.floor(TOKENS * share))
    expect(stopped).toMatchObject({ error: 'stopped' })
    expect(stopped.last).toBeLessThan(TOKENS)
    expect(await phase(page)).toBe('empty')
    stops.push(stopped)
  }
  const { result: brought, peak: reading } = await withPeak(group, () => read(page))
  expect(brought).toMatchObject({ result: { tokens: TOKENS, created: true }, last: TOKENS })
  expect(brought.told).toBeGreaterThan(10)
  expect(await page.evaluate(async () => (await window.vault.client.getPersistedTokens()).length)).toBe(
    TOKENS,
  )

  const above = (peak: BrowserMemory | undefined) =>
    before &&
    peak && { renderers: toMiB(peak.renderers - before.renderers), all: toMiB(peak.all - before.all) }
  const memory = { writing: above(writing), reading: above(reading) }
  const works = [unwritten, written, ...stops, brought]
  console.log(JSON.stringify({ tokens: TOKENS, memory, works }))
  // Other work on the machine can slow down the short form, so only the long form, which runs alone, checks times.
  if (!IS_LONG) return
  expect(
    Math.max(...works.flatMap(({ longest, rest }) => [longest, rest])),
    'longest time without progress, ms',
  ).toBeLessThan(1_000)
  expect(Math.max(...works.map(({ stopping }) => stopping)), 'from a stop to the end, ms').toBeLessThan(1_000)
  expect(memory.writing?.all ?? 0, 'MiB while it is written').toBeLessThanOrEqual(600)
  expect(memory.reading?.all ?? 0, 'MiB while it is read').toBeLessThanOrEqual(600)
})

function toMiB(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
