// Search and lists in Chromium, on the production build, in a vault with 100,000 tokens, compared with their limits.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { putTokens } from '../../apps/web/e2e/lasting/many-tokens.js'
import { serveFolder } from '../../apps/web/e2e/lasting/site.js'
import { expect } from '../measure.mjs'

const CLIENT = join(import.meta.dirname, '../../apps/web/dist')
const PASSPHRASE = 'violet anvil harbour thirty'
const TOKENS = 100_000
const TYPED = ['/crud/read 2027', 'person17', 'send kind:grant', 'bafyreiab', 'nothing like it']
/** Others for the trace, because the page keeps recent answers for a while. */
const TRACED = ['/crud/write 2026', 'person42', 'msg kind:grant', 'bafyreide', 'nothing of the kind']
const WARMING = ['/msg/send 2026', 'z6Mkperson2', 'http kind:grant', 'kh1', 'of no token at all']
const TURNS = 60
const BARS = { ready: 300, keystroke: 10, task: 50 }

/**
 * Runs before the page's own scripts. Notes what the page asks the token worker, and when it has got an answer, in shared memory or as a
 * message.
 */
function takeNotes() {
  const notes = { asked: new Map(), finds: [], read: 0, ready: 0, slowest: 0 }
  window.notes = notes
  const answered = (id) => {
    const since = notes.asked.get(id)
    if (since === undefined) return
    notes.asked.delete(id)
    if (notes.ready === 0) notes.ready = performance.now()
    else notes.finds.push(performance.now() - since)
  }
  // Only answers are waited for without blocking in this page.
  const { waitAsync } = Atomics
  Atomics.waitAsync = (length, ...rest) => {
    const waiting = waitAsync(length, ...rest)
    Promise.resolve(waiting.value).then(async () => {
      const start = new TextDecoder().decode(new Uint8Array(length.buffer, 4, 100).slice())
      const [, id] = /"id":(\d+)/.exec(start) ?? []
      // The page reads the answer first.
      await undefined
      answered(Number(id))
    })
    return waiting
  }
  const Real = globalThis.Worker
  globalThis.Worker = class extends Real {
    constructor(url, options) {
      super(url, options)
      if (options?.name !== 'tokens') return
      this.addEventListener('message', ({ data }) => {
        if (data.tell === 'reading' && data.read === data.total) notes.read = performance.now()
        if (data.tell === 'answer') answered(data.id)
      })
    }
    postMessage(message) {
      if (message?.do === 'answer' && message.question.ask === 'find')
        notes.asked.set(message.id, performance.now())
      super.postMessage(message)
    }
  }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) notes.slowest = Math.max(notes.slowest, duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
}

/** Runs in the page. Whether an account's second copy is about as large as its tokens, each of more than 600 characters. */
async function isCopied([address, count]) {
  let size = 0
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('keyhole')
  for await (const file of (await folder.getDirectoryHandle(address)).values())
    size += (await file.getFile()).size
  return size > count * 600
}

async function makeVault(page, url) {
  await page.goto(`${url}register`)
  await page.getByLabel('Name', { exact: true }).fill('Personal')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('radio', { name: /^Passphrase/ }).check()
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE)
  await page.getByText(/^(Strong|Very strong)\./).waitFor()
  await page.getByRole('button', { name: 'Create vault' }).click()
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByText('Your vault is ready').waitFor()
  const names = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''))
  return names.find((name) => name.startsWith('vault_kh1'))?.slice('vault_'.length)
}

/**
 * The longest task of a page's main thread while something is done, by the clock and by its own processor time, which doesn't grow when the
 * machine is busy elsewhere. By processor time, also the longest task of its workers.
 * @param {import('@playwright/test').Browser} browser
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<unknown>} work
 */
async function longestTask(browser, page, work) {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
  const threads = (called) =>
    new Set(
      traceEvents
        .filter(({ name, args }) => name === 'thread_name' && args.name === called)
        .map(({ pid, tid }) => `${pid} ${tid}`),
    )
  const [mains, workers] = [threads('CrRendererMain'), threads('DedicatedWorker thread')]
  const tasksOf = (some) =>
    traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && some.has(`${pid} ${tid}`))
  const tasks = tasksOf(mains)
  expect(tasks.length > 0, 'the main thread has done something')
  const most = (values) => values.reduce((one, other) => Math.max(one, other), 0) / 1000
  return {
    wall: most(tasks.map(({ dur = 0 }) => dur)),
    own: most(tasks.map(({ tdur = 0 }) => tdur)),
    worker: most(tasksOf(workers).map(({ tdur = 0 }) => tdur)),
  }
}

async function scroll(page) {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await page.mouse.wheel(0, turn < TURNS - 10 ? 900 : -2_000)
    // One frame, as when a person turns a wheel.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve())))
  }
}

/** @param {number[]} values */
function p95(values) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN
}

export async function figures() {
  if (!existsSync(join(CLIENT, 'index.html'))) return []
  const profile = newProfile()
  const site = await serveFolder(CLIENT)
  const { browser, context, close } = await launch(profile)
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(300_000)
    await page.addInitScript(takeNotes)
    const address = await makeVault(page, site.url)
    await putTokens(page, address, TOKENS)
    // Wait until the second copy has them too, as in a real vault, and the work that made them is over.
    await page.goto(`${site.url}search`)
    const late = Date.now() + 120_000
    while (!(await page.evaluate(isCopied, [address, TOKENS]))) {
      expect(Date.now() < late, 'the second copy is made')
      await page.waitForTimeout(500)
    }
    await page.goto('about:blank')
    await page.requestGC()

    await page.goto(`${site.url}search`)
    const box = page.getByRole('combobox', { name: 'Search the vault' })
    await page.getByText(/^[\d,]+ entr(y|ies)/).waitFor()
    const ready = await page.evaluate(() => window.notes.ready - window.notes.read)
    await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
    const dialog = page.getByRole('dialog', { name: /^Unlock / })
    await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await dialog.getByRole('button', { name: 'Unlock' }).click()
    await page.getByRole('banner').getByRole('button', { name: 'Lock' }).waitFor()
    await page.getByRole('option').first().waitFor()
    const type = async (texts) => {
      for (const text of texts) {
        await box.fill('')
        await box.pressSequentially(text, { delay: 60 })
      }
    }
    // A first round with other words warms up the worker and the page, because the page keeps recent answers for a while.
    await type(WARMING)
    await page.evaluate(() => {
      window.notes.finds = []
      window.notes.slowest = 0
    })
    // Without the trace, so that it has no part in the figure.
    await type(TYPED)
    const { finds, slowest } = await page.evaluate(() => window.notes)
    const typing = await longestTask(browser, page, () => type(TRACED))
    await box.fill('')
    expect(finds.length > 20, 'letters are answered')
    await page.getByText(/^[\d,]+ entr(y|ies)/).waitFor()
    await page.getByRole('listbox', { name: 'Matches' }).hover({ position: { x: 200, y: 100 } })
    const scrolling = await longestTask(browser, page, () => scroll(page))

    await page.getByRole('link', { name: 'Grants' }).first().click()
    await page.getByText(/^90,?000 grants/).waitFor()
    await page.mouse.move(400, 400)
    const grants = await longestTask(browser, page, () => scroll(page))

    const task = (title, { wall, own }) => ({
      title: `The longest task of the page, ${TOKENS.toLocaleString('en-GB')} tokens: ${title}`,
      note: 'Processor time of its own, and by the clock, which grows when the machine is busy elsewhere.',
      better: 'less',
      rows: [
        { name: 'Keyhole', unit: 'ms', value: own },
        { name: 'Bar', unit: 'ms', value: BARS.task },
        { name: 'Keyhole, by the clock', unit: 'ms', value: wall },
      ],
    })
    return [
      {
        title: 'Search is ready, once 100,000 tokens have been read in a browser',
        note: 'From the last of them to the first answer on the page.',
        better: 'less',
        rows: [
          { name: 'Keyhole', unit: 'ms', value: ready },
          { name: 'Bar', unit: 'ms', value: BARS.ready },
        ],
      },
      {
        title: 'A keystroke of a search among 100,000 tokens, in a browser',
        note: `95th percentile of ${finds.length}, from the page's question to the worker's answer in the page. The slowest keystroke until its next frame: ${slowest.toFixed(0)} ms. The longest task of any worker meanwhile took ${typing.worker.toFixed(1)} ms of processor time.`,
        better: 'less',
        rows: [
          { name: 'Keyhole', unit: 'ms', value: p95(finds) },
          { name: 'Bar', unit: 'ms', value: BARS.keystroke },
        ],
      },
      task('typing', typing),
      task('scrolling what was found', scrolling),
      task('scrolling what was granted', grants),
    ]
  } finally {
    await close()
    site.close()
    removeProfile(profile)
  }
}
