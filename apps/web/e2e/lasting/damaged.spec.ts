// Files of the profile are damaged between two launches of the browser. Runs the client as it ships.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import {
  card,
  chooseBackup,
  chooseFile,
  choosePassphrase,
  expectLocked,
  FILE_PASSPHRASE,
  fillNewVault,
  grant,
  madeVault,
  OTHER_PASSPHRASE,
  STRANGER,
  unlock,
  visit,
  writeBackup,
} from '../tasks/support/person.ts'
import { copyProfile } from './chromium.js'
import { DAMAGES, damage, misleadDatabases } from './damage.js'
import { test as base, expect, Profile } from './fixtures.ts'

const LABELS = ['Holiday mails', 'Invoices', 'The garden']
const damages = Object.keys(DAMAGES) as (keyof typeof DAMAGES)[]

interface Saved {
  /** A profile with a vault of three grants, its browser closed. Tests copy it. */
  readonly folder: string
  readonly url: string
  readonly address: string
  readonly backup: { name: string; text: string }
}

/** Each test gets a copy of one profile. */
const test = base.extend<{ copy: Profile }, { saved: Saved }>({
  saved: [
    async ({ browserName: _ }, use, { project }) => {
      const { baseURL = '' } = project.use
      const original = new Profile()
      const page = await original.start()
      await page.goto(`${baseURL}/register`)
      await fillNewVault(page, {})
      await page.getByRole('button', { name: 'Create vault' }).click()
      const { address } = await madeVault(page)
      for (const label of LABELS) await grant(page, { to: STRANGER, command: '/msg/send', label })
      const backup = await writeBackup(page)
      await original.close()
      await use({ folder: original.folder, url: baseURL, address, backup })
      await original.remove()
    },
    { scope: 'worker' },
  ],
  copy: async ({ saved }, use) => {
    const copy = new Profile(copyProfile(saved.folder))
    await use(copy)
    await copy.remove()
    base.expect(copy.errors, 'uncaught errors').toEqual([])
  },
})

async function expectEverything(page: Page, saved: Saved, passphrase?: string): Promise<void> {
  await unlock(page, passphrase)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personal')
  await visit(page, 'Settings', 'Your account')
  await expect(page.getByText(saved.address).first()).toBeVisible()
  await visit(page, 'Grants')
  const grants = card(page, 'Granted so far')
  for (const label of LABELS) await expect(grants.getByText(label)).toBeVisible()
}

/** Expects the recovery screen, not the page for new visitors. */
async function expectMissing(page: Page, saved: Saved): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your vault is missing')
  await expect(page.getByText(saved.address)).toBeVisible()
  await expect(page.getByRole('link', { name: /Create (a )?vault/ })).toHaveCount(0)
}

async function expectSecondCopyWhole(page: Page): Promise<void> {
  await visit(page, 'Settings', 'Backup and storage')
  await expect(card(page, 'Storage in this browser').getByText('up to date')).toBeVisible()
}

for (const how of damages) {
  test(`IndexedDB ${how}: the recovery screen, and everything back from the second copy`, async ({
    copy,
    saved,
  }) => {
    damage(copy.folder, 'IndexedDB', how)
    const page = await copy.start()
    await page.goto(saved.url)
    await expectMissing(page, saved)
    await expect(page.getByText('The second copy is here, and complete.')).toBeVisible()
    await page.getByRole('button', { name: 'Restore it from the copy' }).click()
    await expect(page.getByText('Your keys and 3 tokens are back.').first()).toBeVisible()
    await expectLocked(page)

    // The vault is stored as before: the next launch finds it.
    await copy.close()
    const again = await copy.start()
    await again.goto(saved.url)
    await expectEverything(again, saved)
  })

  test(`the second copy ${how}: the vault opens as before, and the copy is repaired`, async ({
    copy,
    saved,
  }) => {
    damage(copy.folder, 'mirror', how)
    const page = await copy.start()
    await page.goto(saved.url)
    await expectEverything(page, saved)
    await expectSecondCopyWhole(page)

    // The copy is complete: it can restore everything.
    await copy.close()
    damage(copy.folder, 'IndexedDB', 'was deleted')
    const again = await copy.start()
    await again.goto(saved.url)
    await expectMissing(again, saved)
    await again.getByRole('button', { name: 'Restore it from the copy' }).click()
    await expectEverything(again, saved)
  })
}

// The browser itself repairs a second copy without its manifest.
for (const how of damages.filter((each) => each !== 'lost its manifest')) {
  test(`each of the two ${how}: a backup file brings everything back`, async ({ copy, saved }) => {
    damage(copy.folder, 'IndexedDB', how)
    damage(copy.folder, 'mirror', how)
    const page = await copy.start()
    await page.goto(saved.url)
    await expectMissing(page, saved)
    const lost = card(page, 'The missing vault')
    await expect(lost.getByText('Nothing of it is left in this browser.')).toBeVisible()
    await chooseBackup(lost, saved.backup)
    await lost.getByLabel('Backup passphrase').fill(FILE_PASSPHRASE)
    await choosePassphrase(lost, 'Passphrase for this browser', OTHER_PASSPHRASE)
    await lost.getByRole('button', { name: 'Restore the vault' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personal')

    await copy.close()
    const again = await copy.start()
    await again.goto(saved.url)
    await expectEverything(again, saved, OTHER_PASSPHRASE)
  })
}

test('with nothing left the page says so, and keeps saying it until the vault is forgotten', async ({
  copy,
  saved,
}) => {
  damage(copy.folder, 'IndexedDB', 'was deleted')
  damage(copy.folder, 'mirror', 'was deleted')
  for (const turn of ['first', 'second']) {
    const page = await copy.start()
    await page.goto(saved.url)
    await expectMissing(page, saved)
    await expect(page.getByText('Nothing of it is left in this browser.'), turn).toBeVisible()
    await expect(page.getByRole('button', { name: 'Restore it from the copy' })).toHaveCount(0)
    await copy.close()
  }
})

test('IndexedDB and localStorage are gone: only the second copy knows that there was a vault', async ({
  copy,
  saved,
}) => {
  damage(copy.folder, 'IndexedDB', 'was deleted')
  damage(copy.folder, 'localStorage', 'was deleted')
  const page = await copy.start()
  await page.goto(saved.url)
  await expectMissing(page, saved)
  await page.getByRole('button', { name: 'Restore it from the copy' }).click()
  await expectEverything(page, saved)
})

test('IndexedDB never opens: the vault opens from the second copy, can be read and backed up', async ({
  copy,
  saved,
  profile,
}) => {
  misleadDatabases(copy.folder)
  const page = await copy.start()
  await page.goto(saved.url)
  await expectMissing(page, saved)
  const lost = card(page, 'The missing vault')
  await lost.getByRole('button', { name: 'Open it from the copy' }).click()
  await expect(page.getByText('This vault is open from its second copy.')).toBeVisible()
  await expectEverything(page, saved)
  // Nothing can be changed, and the page says why.
  const request = card(page, 'New grant')
  await request.getByLabel('Who', { exact: true }).fill(STRANGER)
  await request.getByLabel('What they can do').fill('/msg/send')
  await expect(request.getByText('You can’t change a vault that is open from its second copy.')).toBeVisible()
  await expect(request.getByRole('button', { name: 'Sign the grant' })).toBeDisabled()
  const backup = await writeBackup(page)
  // After a reload the copy is unchanged, and every way to restore it is offered.
  await page.reload()
  await visit(page, 'Home')
  await expect(lost.getByRole('button', { name: 'Restore it from the copy' })).toBeEnabled()
  await copy.close()

  const elsewhere = await profile.start()
  await elsewhere.goto(`${saved.url}/register?tab=restore`)
  const form = card(elsewhere, 'Restore from a backup')
  await chooseBackup(form, backup)
  await form.getByLabel('Backup passphrase').fill(FILE_PASSPHRASE)
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(elsewhere.getByText('Your vault is back, and open.')).toBeVisible()
  await visit(elsewhere, 'Grants')
  const grants = card(elsewhere, 'Granted so far')
  for (const label of LABELS) await expect(grants.getByText(label)).toBeVisible()
})

test('IndexedDB never opens: the second copy is saved as a file, which restores everything', async ({
  copy,
  saved,
  profile,
}) => {
  misleadDatabases(copy.folder)
  const page = await copy.start()
  await page.goto(saved.url)
  await expectMissing(page, saved)
  const lost = card(page, 'The missing vault')
  const downloading = page.waitForEvent('download')
  await lost.getByRole('button', { name: 'Save the copy as a file' }).click()
  const download = await downloading
  const file = { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
  expect(file.name).toContain(saved.address)
  await copy.close()

  const elsewhere = await profile.start()
  await elsewhere.goto(`${saved.url}/register?tab=restore`)
  const form = card(elsewhere, 'Restore from a backup')
  await chooseFile(form, file)
  await expect(form.getByText('This is a second copy, saved as a file.')).toBeVisible()
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(elsewhere.getByText('Your vault is back, and locked.')).toBeVisible()
  await visit(elsewhere, 'Home')
  await expectEverything(elsewhere, saved)
})
