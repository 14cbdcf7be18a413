// Eight tabs save a thousand tokens in one account, compared with a thousand plain writes to IndexedDB from the same number of tabs.
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { serveVaultPage } from '../../apps/web/e2e/lasting/site.js'
import { expect } from '../measure.mjs'

const TABS = 8
const SAVES = 1_000
/** Grants a second in all tabs together. */
const BAR = 100
const PASSPHRASE = 'violet anvil harbour thirty'
const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

/** Runs `work` in every page at once. @returns the total milliseconds */
async function together(pages, work, argument) {
  const start = performance.now()
  await Promise.all(pages.map((page) => page.evaluate(work, argument)))
  return performance.now() - start
}

/** Signs and saves, five at a time. */
async function grants([audience_did, count]) {
  let next = 0
  const lane = async () => {
    while (next < count) {
      next += 1
      await window.vault.tokens.grant({ audience_did, command: '/msg/send', label: `Number ${next}` })
    }
  }
  await Promise.all(Array.from({ length: 5 }, lane))
}

/** One transaction per record of the same size, counted once it is on disk. */
async function writes(count) {
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open('bare')
    request.onupgradeneeded = () => request.result.createObjectStore('tokens')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  let next = 0
  const lane = async () => {
    while (next < count) {
      next += 1
      await new Promise((resolve, reject) => {
        const transaction = database.transaction('tokens', 'readwrite', { durability: 'strict' })
        transaction.objectStore('tokens').put({ text: 'x'.repeat(1_000) }, crypto.randomUUID())
        transaction.oncomplete = resolve
        transaction.onerror = () => reject(transaction.error)
      })
    }
  }
  await Promise.all(Array.from({ length: 5 }, lane))
  database.close()
}

async function rates(site, shared) {
  const profile = newProfile()
  const { context, close } = await launch(profile)
  try {
    if (!shared) await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
    const pages = await Promise.all(Array.from({ length: TABS }, () => context.newPage()))
    for (const page of pages) {
      await page.goto(site.url)
      await page.locator('body[data-ready]').waitFor({ state: 'attached' })
    }
    const [first, ...rest] = pages
    await first.evaluate(async (passphrase) => (await window.openVault()).create({ passphrase }), PASSPHRASE)
    for (const page of rest) {
      await page.evaluate(async (passphrase) => {
        const vault = await window.openVault()
        if (vault.getSnapshot().phase !== 'unlocked') await vault.unlock(passphrase)
      }, PASSPHRASE)
    }
    const ours = await together(pages, grants, [STRANGER, SAVES / TABS])
    const theirs = await together(pages, writes, SAVES / TABS)
    const held = await first.evaluate(async () => (await window.vault.tokens.list()).length)
    expect(held === SAVES, `${SAVES} tokens are there, not ${held}`)
    return { ours: SAVES / (ours / 1_000), theirs: SAVES / (theirs / 1_000) }
  } finally {
    await close()
    removeProfile(profile)
  }
}

export async function figures() {
  const site = await serveVaultPage()
  try {
    const figure = (workers, { ours, theirs }) => ({
      title: `Eight tabs, a thousand tokens in one account, ${workers}`,
      note: 'Ours signed, sealed, logged and mirrored; theirs one strict transaction each.',
      better: 'more',
      rows: [
        { name: 'Keyhole, grant()', unit: '/s', value: ours },
        { name: 'IndexedDB, put()', unit: '/s', value: theirs },
        { name: 'Bar', unit: '/s', value: BAR },
      ],
    })
    return [
      figure('one shared worker', await rates(site, true)),
      figure('a worker for each tab', await rates(site, false)),
    ]
  } finally {
    site.close()
  }
}
