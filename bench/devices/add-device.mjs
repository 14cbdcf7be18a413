// How long it takes to put a vault on a second device: two profiles of Chromium, a real relay, and a person who is as fast as a machine. From
// the press of "Show a code" until the new device shows the vault, unlocked, and the old one lists both. The code is pasted, as a scan gives it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, newProfile, removeProfile } from '../../apps/web/e2e/lasting/chromium.js'
import { pair } from '../../apps/web/e2e/pair.js'
import { startSite } from '../../scripts/cluster/sites.mjs'
import { makeVault, PASSPHRASE } from '../browser/make-vault.mjs'
import { median } from '../measure.mjs'

const ROUNDS = Number(process.env.KEYHOLE_ROUNDS ?? 3)
/** Milliseconds. */
const BAR = 60_000

/** @param {import('@playwright/test').Page} page @param {string} action */
async function prove(page, action) {
  const dialog = page
    .getByRole('dialog')
    .filter({ has: page.getByRole('button', { name: action, exact: true }) })
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await dialog.getByRole('button', { name: action, exact: true }).click()
}

/**
 * Puts the open vault on several devices.
 * @param {import('@playwright/test').Page} page @param {string} name
 */
export async function startDevices(page, name) {
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  const sections = page.getByRole('list', { name: 'Settings', exact: true })
  await sections.getByRole('button', { name: 'Devices', exact: true }).click()
  await page.getByLabel('Name of this device').fill(name)
  await page.getByRole('button', { name: 'Use on several devices' }).click()
  await prove(page, 'Start')
  await page.getByText('Your devices are in sync.').waitFor()
}

/**
 * Adds a browser that has no vault.
 * @param {import('@playwright/test').Page} old @param {import('@playwright/test').Page} fresh @param {string} name
 * @returns {Promise<number>} milliseconds
 */
export async function addBrowser(old, fresh, name) {
  const start = performance.now()
  await pair(old, fresh)
  await fresh.getByRole('button', { name: 'They are the same' }).click()
  await old.getByLabel('Name of the new device').fill(name)
  await old.getByRole('button', { name: 'They are the same' }).click()
  await prove(old, 'Add the device')
  await fresh.getByText('Your vault is on this device now.').waitFor()
  await fresh.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).waitFor()
  await old.getByRole('list', { name: 'Your devices' }).getByText(name, { exact: true }).first().waitFor()
  return performance.now() - start
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  if (!existsSync(join(import.meta.dirname, '../../apps/web/dist/index.html'))) return []
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const site = await startSite(folder)
  const profiles = [newProfile()]
  const first = await launch(profiles[0] ?? '')
  /** @type {number[]} */
  const taken = []
  try {
    const old = await first.context.newPage()
    old.setDefaultTimeout(120_000)
    await makeVault(old, site.url)
    await startDevices(old, 'Laptop')
    for (let round = 0; round < ROUNDS; round += 1) {
      const profile = newProfile()
      profiles.push(profile)
      const second = await launch(profile)
      try {
        const fresh = await second.context.newPage()
        fresh.setDefaultTimeout(120_000)
        await fresh.goto(`${site.url}register?tab=restore&from=device`)
        taken.push(await addBrowser(old, fresh, `Phone ${round}`))
      } finally {
        await second.close()
      }
    }
    return [
      {
        title: 'A second device, from its code to the open vault',
        note: `${ROUNDS} times, each with a new profile of Chromium. A person's own time, for a scan, six digits and a passphrase, is not in it. Bar: ${BAR / 1_000} s.`,
        rows: [
          { name: 'median', unit: 's', value: median(taken) / 1_000 },
          { name: 'worst', unit: 's', value: Math.max(...taken) / 1_000 },
        ],
      },
    ]
  } finally {
    await first.close()
    await site.close()
    for (const profile of profiles) removeProfile(profile)
    rmSync(folder, { recursive: true, force: true })
  }
}
