// A grant, an unlock and the list of grants in Chromium, on the production build, with ten tokens and with 100,000. KEYHOLE_TOKENS sets how many.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { putTokens } from '../../apps/web/e2e/lasting/many-tokens.js'
import { serveFolder } from '../../apps/web/e2e/lasting/site.js'
import { expect, median } from '../measure.mjs'
import { makeVault, PASSPHRASE } from './make-vault.mjs'

const CLIENT = join(import.meta.dirname, '../../apps/web/dist')
const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const FEW = 10
const MANY = Number(process.env.KEYHOLE_TOKENS ?? 100_000)
const GRANTS = 9
const LOADS = 5
/** In milliseconds, and how much longer it may take with many tokens. */
const BARS = { grant: 150, times: 1.3 }

/**
 * Runs in the page. From a press of a button until something is shown, by the page's own clock: first when it is in the page, as a screen
 * reader finds it.
 */
async function pressed([button, selector, text]) {
  const isThere = () =>
    [...document.querySelectorAll(selector)].some((each) => each.textContent?.trim().startsWith(text))
  const found = [...document.querySelectorAll('button')].findLast(
    (each) => each.textContent?.trim() === button && each.checkVisibility(),
  )
  if (!found) throw new Error(`No button ${button}`)
  const start = performance.now()
  const shown = new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (!isThere()) return
      watch.disconnect()
      resolve(performance.now() - start)
    })
    watch.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true })
  })
  found.click()
  return await shown
}

/** Runs in each page as it starts. Notes when its list has its first grants, and when they are counted, from its navigation on. */
function noteList() {
  const shown = { listed: 0, counted: 0 }
  Object.assign(window, { shown })
  const watch = new MutationObserver(() => {
    if (document.querySelector('ul[aria-label="Tokens"] article')) shown.listed ||= performance.now()
    const counts = [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent)
    if (counts.some((text) => /^[\d,]+ grants?/.test(text))) shown.counted ||= performance.now()
    if (shown.listed && shown.counted) watch.disconnect()
  })
  watch.observe(document, { childList: true, subtree: true, characterData: true })
}

/** Runs in the page. Whether its second copy is about as large as its tokens. */
async function isCopied([address, count]) {
  let size = 0
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('keyhole')
  for await (const file of (await folder.getDirectoryHandle(address)).values())
    size += (await file.getFile()).size
  return size > count * 600
}

const addressOf = (page) =>
  page.evaluate(async () =>
    (await indexedDB.databases())
      .map(({ name }) => name ?? '')
      .find((name) => name.startsWith('vault_kh1'))
      ?.slice('vault_'.length),
  )

async function unlock(page) {
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
  const dialog = page.getByRole('dialog', { name: /^Unlock / })
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  const taken = await page.evaluate(pressed, ['Unlock', 'header button', 'Lock'])
  await dialog.waitFor({ state: 'hidden' })
  return taken
}

/** A load of the list, and an unlock as soon as the page allows it. */
async function loadAndUnlock(page, url) {
  await page.goto('about:blank')
  await page.goto(`${url}identity?tab=grants`)
  await page.waitForFunction(() => window.shown.listed && window.shown.counted)
  const shown = await page.evaluate(() => window.shown)
  await page.reload()
  return { ...shown, unlocked: await unlock(page) }
}

/** Milliseconds of each, with what is stored now. */
async function measure(page, url) {
  const loads = []
  for (let turn = 0; turn <= LOADS; turn += 1) loads.push(await loadAndUnlock(page, url))
  // The first one warms up.
  const medianOf = (name) => median(loads.slice(1).map((load) => load[name]))
  const grants = []
  for (let turn = 0; turn <= GRANTS; turn += 1) {
    // Come from another page: the last signed grant would still be in the form's place.
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await page.getByRole('link', { name: 'Grants', exact: true }).first().click()
    const form = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'New grant', exact: true }) })
    await form.getByLabel('Who', { exact: true }).fill(STRANGER)
    await form.getByLabel('What they can do').fill('/msg/send')
    await form.getByLabel('Your name for it').fill(`Number ${turn}`)
    await form.getByRole('button', { name: 'Sign the grant' }).waitFor()
    const taken = await page.evaluate(pressed, ['Sign the grant', 'h1, h2, h3', 'Signed and stored'])
    // The first one warms up.
    if (turn > 0) grants.push(taken)
  }
  const [listed, counted, unlocked] = ['listed', 'counted', 'unlocked'].map(medianOf)
  return { grant: median(grants), listed, counted, unlocked }
}

export async function figures() {
  if (!existsSync(join(CLIENT, 'index.html'))) return []
  const profile = newProfile()
  const site = await serveFolder(CLIENT)
  const { context, close } = await launch(profile)
  try {
    const page = await context.newPage()
    await page.addInitScript(noteList)
    page.setDefaultTimeout(300_000)
    await makeVault(page, site.url)
    const address = await addressOf(page)
    await putTokens(page, address, FEW)
    const few = await measure(page, site.url)
    await putTokens(page, address, MANY)
    await page.goto(`${site.url}search`)
    const late = Date.now() + 240_000
    while (!(await page.evaluate(isCopied, [address, MANY]))) {
      expect(Date.now() < late, 'the second copy is made')
      await page.waitForTimeout(500)
    }
    const many = await measure(page, site.url)
    const shown = MANY.toLocaleString('en-GB')
    const figure = (title, name, more = []) => ({
      title: `${title}, ${shown} tokens`,
      note: `With many, it takes ${(many[name] / few[name]).toFixed(2)} times as long. The bar is ${BARS.times}.`,
      better: 'less',
      rows: [
        { name: `Keyhole, ${shown}`, unit: 'ms', value: many[name] },
        { name: `Keyhole, ${FEW}`, unit: 'ms', value: few[name] },
        ...more,
      ],
    })
    return [
      figure('A grant, from the press to the signed token on the page', 'grant', [
        { name: 'Bar', unit: 'ms', value: BARS.grant },
      ]),
      figure('An unlock with a passphrase, while the list loads', 'unlocked'),
      figure('The list of grants after a load, until its first ones are shown', 'listed', [
        { name: `Until they are counted, ${shown}`, unit: 'ms', value: many.counted },
      ]),
    ]
  } finally {
    await close()
    site.close()
    removeProfile(profile)
  }
}
