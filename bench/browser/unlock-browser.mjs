// In Chromium, from the click on the button to the page that shows the vault, compared with libsodium's Argon2id in the same browser.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { change, forged } from '../../apps/web/e2e/lasting/sealed-text.js'
import { serveFolder, serveVaultPage } from '../../apps/web/e2e/lasting/site.js'
import { expect, median } from '../measure.mjs'
import { makeVault, NAME, PASSPHRASE } from './make-vault.mjs'

const CLIENT = join(import.meta.dirname, '../../apps/web/dist')
const ROUNDS = 9
/** The parameters that seal an account today. */
const COST = { passphrase: PASSPHRASE, memoryKib: 65_536, passes: 3 }

/** libsodium bundled into its own page, where none of our policies apply. */
async function serveLibsodium() {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-libsodium-'))
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'libsodium-page'),
    logLevel: 'error',
    build: { target: 'es2023', outDir: folder, modulePreload: { polyfill: false } },
  })
  const site = await serveFolder(folder)
  return {
    url: site.url,
    close: () => {
      site.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Notes, in the page, when the next click comes and when the page then shows something.
 * @param {import('@playwright/test').Page} page
 * @param {'vault' | 'locked'} shown
 * @param {() => Promise<unknown>} click
 * @returns {Promise<number>} milliseconds
 */
async function fromClick(page, shown, click) {
  const taken = page.evaluate(
    ([what, name]) =>
      new Promise((resolve) => {
        let start = 0
        const there = () => {
          const buttons = [...document.querySelectorAll('header button')].map(
            ({ textContent }) => textContent,
          )
          const heading = document.querySelector('h1')?.textContent
          return what === 'vault' ? buttons.includes('Lock') && heading === name : buttons.includes('Unlock')
        }
        const look = () => {
          if (start === 0 || !there()) return
          observer.disconnect()
          // Painted, not only laid out.
          requestAnimationFrame(() => resolve(performance.now() - start))
        }
        const observer = new MutationObserver(look)
        observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
        addEventListener(
          'click',
          () => {
            start = performance.now()
          },
          { capture: true, once: true },
        )
      }),
    [shown, NAME],
  )
  await click()
  return await taken
}

/** Opens the dialog and types the passphrase. @returns the button that unlocks */
async function fillIn(page) {
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
  const dialog = page.getByRole('dialog', { name: /^Unlock / })
  // At the speed of the fastest typist, so that what is prepared while a person types gets no more time here.
  await dialog.getByLabel('Passphrase', { exact: true }).pressSequentially(PASSPHRASE, { delay: 40 })
  return dialog.getByRole('button', { name: 'Unlock' })
}

/** In turns: an unlock after a load, libsodium, a lock, an unlock right after it, libsodium. */
async function takeTurns(context, client, libsodium) {
  const page = await context.newPage()
  const theirs = await context.newPage()
  await theirs.goto(libsodium.url)
  await theirs.locator('body[data-ready]').waitFor({ state: 'attached' })
  const derive = () => theirs.evaluate((cost) => window.derive(cost), COST)
  await makeVault(page, client.url)

  await page.goto(client.url)
  const taken = { loaded: [], relocked: [], lock: [], libsodium: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    // This is the only tab, so reloading it ends the worker and locks the vault.
    await page.reload()
    await page.bringToFront()
    let button = await fillIn(page)
    const loaded = await fromClick(page, 'vault', () => button.click())
    const first = await derive()
    await page.bringToFront()
    const lock = await fromClick(page, 'locked', () =>
      page.getByRole('banner').getByRole('button', { name: 'Lock' }).click(),
    )
    button = await fillIn(page)
    const relocked = await fromClick(page, 'vault', () => button.click())
    const second = await derive()
    // The first round is a warm-up for all of them.
    if (round === 0) continue
    taken.loaded.push(loaded)
    taken.lock.push(lock)
    taken.relocked.push(relocked)
    taken.libsodium.push(first, second)
  }
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)]))
}

/** In a page with only the library: a lock, and the refusal of a cost of 4 GiB. */
async function inTheLibrary(context, site) {
  const vector = join(import.meta.dirname, '../../vectors/keyhole/seal-v1.json')
  const state = JSON.parse(JSON.parse(readFileSync(vector, 'utf8')).state)
  change(state, ['methods', '0', 'kdf', 'memory_kib'], () => 4 * 1024 * 1024)
  const page = await context.newPage()
  await page.goto(site.url)
  await page.locator('body[data-ready]').waitFor({ state: 'attached' })
  const taken = await page.evaluate(
    async ([passphrase, costly, rounds]) => {
      const vault = await window.openVault()
      await vault.create({ passphrase })
      const enclave = await window.openEnclave()
      const locks = []
      const refusals = []
      for (let round = 0; round < rounds; round += 1) {
        let start = performance.now()
        // Resolves when the memory with the keys has been overwritten and released.
        await vault.lock()
        locks.push(performance.now() - start)
        await vault.unlock(passphrase)
        start = performance.now()
        const { code } = await enclave.call('open_vault', { enclave: costly })
        refusals.push(code === 'OPERATION_FAILED' ? performance.now() - start : Number.NaN)
      }
      return { locks, refusals }
    },
    [PASSPHRASE, forged(state), ROUNDS],
  )
  await page.close()
  return { lock: median(taken.locks), refusal: median(taken.refusals) }
}

export async function figures() {
  if (!existsSync(join(CLIENT, 'index.html'))) return []
  const profile = newProfile()
  const sites = await Promise.all([serveFolder(CLIENT), serveLibsodium(), serveVaultPage()])
  const [client, libsodium, library] = sites
  const { context, close } = await launch(profile)
  try {
    const taken = await takeTurns(context, client, libsodium)
    const { lock, refusal } = await inTheLibrary(context, library)
    expect(Number.isFinite(refusal), 'a cost of 4 GiB is refused')
    const rival = { name: 'libsodium 0.8.4, crypto_pwhash', unit: 'ms', value: taken.libsodium }
    const unlock = (title, value) => ({
      title,
      note: 'Argon2id, 64 MiB, 3 passes, 1 lane. Ours from the click on the button to the page that shows the vault, painted; theirs the derivation alone, warm, in the same browser by turns.',
      better: 'less',
      rows: [{ name: 'Keyhole, click to vault', unit: 'ms', value }, rival],
    })
    return [
      unlock('Unlock in a browser, after a load', taken.loaded),
      unlock('Unlock in a browser, right after a lock', taken.relocked),
      {
        title: 'Lock',
        note: 'Until nothing of a key is in memory any more; the click is that with the page drawn again.',
        better: 'less',
        rows: [
          { name: 'Keyhole, lock()', unit: 'ms', value: lock },
          { name: 'Keyhole, click to locked page', unit: 'ms', value: taken.lock },
        ],
      },
      {
        title: 'A cost of 4 GiB is refused',
        better: 'less',
        rows: [{ name: 'Keyhole, open_vault', unit: 'ms', value: refusal }, rival],
      },
    ]
  } finally {
    await close()
    for (const site of sites) site.close()
    removeProfile(profile)
  }
}
