import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import type { Page, TestInfo } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import {
  card,
  choosePassphrase,
  expectUnlocked,
  fillNewVault,
  OTHER_PASSPHRASE,
  removeAccount,
} from '../support/person.ts'

/** Drops a file of the disk in the middle of the window, as a person does: what nothing takes, the browser opens. */
async function dropFile(page: Page, path: string, beforeDrop = async () => {}): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    client.send('Input.dispatchDragEvent', { type, x: 200, y: 120, data })
  // The landing page is there before the client, and a drop counts only where the page has answered what is held over it.
  await expect(async () => {
    await drag('dragEnter')
    await drag('dragOver')
    await expect(page.getByText('Drop a backup file to restore it')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await drag('dragOver')
  await beforeDrop()
  await drag('drop')
  await client.detach()
}

function fileOf(info: TestInfo, name: string, content: string | Buffer): string {
  const path = info.outputPath(name)
  writeFileSync(path, content)
  return path
}

test('set up, backed up, wiped, and back by dropping the file and typing the code', async ({
  page,
}, info) => {
  await page.goto('/register')
  await fillNewVault(page, { name: 'Ada' })
  await page.getByRole('button', { name: 'Create vault' }).click()
  const code = (await page.getByLabel('Recovery code', { exact: true }).textContent()) ?? ''
  await page.getByLabel('Paste it back').fill(code)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Create backup file' }).click()
  const download = await downloading
  const backup = fileOf(info, download.suggestedFilename(), readFileSync(await download.path()))
  await page.getByRole('button', { name: 'Continue' }).click()
  await removeAccount(page)
  await expect(page.getByText('None yet')).toBeVisible()

  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('one folder')
  await dropFile(page, backup)
  const form = card(page, 'Restore from a backup')
  await expect(form.getByText(/^The file says it’s from/)).toBeVisible()
  await expect(form.getByLabel('Backup passphrase')).toHaveCount(0)
  await form.getByLabel('Recovery code', { exact: true }).fill(code.toLowerCase().replaceAll('-', ' '))
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(page.getByText('Your vault is back, and open.')).toBeVisible()
  await expectUnlocked(page)
  // With a vault, too, on any page.
  await page.goto('/demo')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await dropFile(page, backup)
  await expect(form.getByText(/^That vault is already in this browser/)).toBeVisible()
})

test('what is dropped and is no backup is said not to be one, and leaves the page where it is', async ({
  page,
}, info) => {
  await page.goto('/register')
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
  await dropFile(page, fileOf(info, 'holiday.html', '<h1>Elsewhere</h1>'))
  await expect(page.getByText('“holiday.html” isn’t a Keyhole backup.')).toBeVisible()
  // Of a file of many gigabytes only the beginning is read.
  const film = fileOf(info, 'film.json', '')
  truncateSync(film, 20 * 1024 ** 3)
  await dropFile(page, film)
  await expect(page.getByText('“film.json” is 20 GiB: too large for a backup of Keyhole.')).toBeVisible()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
})

test('a file is taken although what it is held over has just been replaced', async ({ page }, info) => {
  await page.goto('/register')
  const file = fileOf(info, 'holiday.html', '<h1>Elsewhere</h1>')
  await dropFile(page, file, () =>
    page.evaluate(() => {
      const other = document.createElement('div')
      other.style.cssText = 'position: fixed; inset: 0'
      document.body.append(other)
    }),
  )
  await expect(page.getByText('“holiday.html” isn’t a Keyhole backup.')).toBeVisible()
})

test('a file that is dropped on the page for apps, or on the demo’s app, does nothing', async ({
  page,
}, info) => {
  const file = fileOf(info, 'holiday.html', '<h1>Elsewhere</h1>')
  for (const address of ['/connect', '/demo-app']) {
    await page.goto(address)
    await expect(page.locator('button:enabled').first()).toBeVisible()
    const client = await page.context().newCDPSession(page)
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await client.send('Input.dispatchDragEvent', { type, x: 200, y: 120, data })
    await client.detach()
    // Had the browser opened it, the page would be gone by the time of another answer.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    await expect(page).toHaveURL(new RegExp(`${address}$`))
    await expect(page.getByRole('heading', { name: 'Elsewhere' })).toHaveCount(0)
    await expect(page.locator('button:enabled').first()).toBeVisible()
  }
})
