import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import {
  card,
  chooseBackup,
  chooseFile,
  choosePassphrase,
  expectUnlocked,
  FILE_PASSPHRASE,
  fillNewVault,
  grant,
  madeVault,
  makeVault,
  OTHER_PASSPHRASE,
  openTab,
  PASSPHRASE,
  removeAccount,
  STRANGER,
  unlock,
  unlockDialog,
  visit,
  writeBackup,
} from '../support/person.ts'

async function removeOnlyAccount(page: Page): Promise<void> {
  await removeAccount(page)
  await expect(page.getByText('None yet')).toBeVisible()
}

test('export, remove, import: everything is back', async ({ page }) => {
  const { address } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  const backup = await writeBackup(page)
  expect(backup.name).toMatch(new RegExp(`^keyhole-${address}-\\d{4}-\\d{2}-\\d{2}\\.keyhole\\.json$`))
  expect(backup.text).not.toContain('Holiday mails')
  await removeOnlyAccount(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('keys')

  await page.goto('/register?tab=restore')
  const form = card(page, 'Restore from a backup')
  await chooseBackup(form, backup)
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByLabel('Passphrase of the file').fill('certainly not this one')
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(form.getByText('This passphrase does not open it.')).toBeVisible()
  await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(page.getByText('Your vault is back, and open.')).toBeVisible()
  await expect(page.getByText(address).first()).toBeVisible()
  await expect(page.getByText('nothing else yet')).toBeVisible()
  await expectUnlocked(page)
  await visit(page, 'Home')
  await expect(card(page, 'Out there')).toBeVisible()
  await expect(page.getByText(/^(No backup yet|The backup )/)).toHaveCount(0)
  await visit(page, 'Identity', 'Grants')
  await expect(card(page, 'Granted so far').getByText('Holiday mails')).toBeVisible()

  await page.reload()
  await unlock(page, OTHER_PASSPHRASE)
})

test('a backup is merged into the account it is of, and loses nothing', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Before' })
  const backup = await writeBackup(page)
  await grant(page, { to: STRANGER, command: '/http/get', label: 'After' })
  await visit(page, 'Identity', 'Backup')
  const form = card(page, 'Merge a backup in')
  await chooseBackup(form, backup)
  await expect(form.getByText('That account is in this browser.')).toBeVisible()
  await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await form.getByRole('button', { name: 'Merge it in' }).click()
  await expect(form.getByText('nothing of yours was lost')).toBeVisible()
  await openTab(page, 'Grants')
  const list = card(page, 'Granted so far')
  await expect(list.getByText('Before')).toHaveCount(1)
  await expect(list.getByText('After')).toHaveCount(1)
})

test('whoever goes on while the file is read is left where they are', async ({ page }) => {
  await makeVault(page)
  const backup = await writeBackup(page)
  await removeOnlyAccount(page)
  await page.goto('/register?tab=restore')
  const form = card(page, 'Restore from a backup')
  await page.evaluate(() => {
    const { text } = Blob.prototype
    const reading = new Promise<void>((resolve) => {
      document.addEventListener('keyhole-read', () => resolve())
    })
    Blob.prototype.text = async function () {
      await reading
      return await text.call(this)
    }
  })
  await chooseFile(form, backup)
  const own = form.getByLabel('Passphrase for this browser')
  await own.focus()
  await page.keyboard.type('violet')
  await page.evaluate(() => document.dispatchEvent(new Event('keyhole-read')))
  await expect(form.getByText(/^It says it is of/)).toBeVisible()
  await page.keyboard.type(' anvil')
  await expect(own).toHaveValue('violet anvil')
})

test('a file that is no backup is refused in words', async ({ page }) => {
  await page.goto('/register?tab=restore')
  const form = card(page, 'Restore from a backup')
  for (const [text, problem] of [
    ['{"not": "a backup"}', '“holiday.json” is no backup of Keyhole'],
    ['{"format":"keyhole-backup-v2","address":"kh1', '“holiday.json” is cut off'],
  ] as const) {
    await chooseFile(form, { name: 'holiday.json', text })
    await expect(form.getByRole('alert')).toContainText(problem)
  }
  // What only its seal tells: it looks like one to the end.
  const damaged = '{"format":"keyhole-backup-v2","address":"kh1","data":"AAAA"}'
  await chooseFile(form, { name: 'holiday.json', text: damaged })
  await expect(form.getByRole('alert')).toHaveCount(0)
  await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(form.getByRole('alert')).toContainText(/backup/i)
  await expect(form.getByText('holiday.json')).toBeVisible()
})

test('a backup of an account that is here is merged, and never promises another passphrase', async ({
  page,
}) => {
  await makeVault(page)
  const backup = await writeBackup(page)
  await visit(page, 'Identity', 'Overview')
  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  await page.goto('/register?tab=restore')
  const form = card(page, 'Restore from a backup')
  await chooseBackup(form, backup)
  await expect(form.getByText('That account is in this browser already, and locked.')).toBeVisible()
  await expect(form.getByLabel('Passphrase for this browser')).toBeHidden()
  await expect(form.getByRole('button', { name: 'Merge it in' })).toBeDisabled()
  await unlock(page)
  await expect(form.getByText('That account is open here.')).toBeVisible()
  await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await form.getByRole('button', { name: 'Merge it in' }).click()
  await expect(page.getByText('Your vault is back, and open.')).toBeVisible()
  await expect(page.getByText('nothing else yet')).toHaveCount(0)
})

test('accounts stand side by side: switch, and each has its own', async ({ page }) => {
  await makeVault(page, { name: 'Home' })
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Of home' })
  await makeVault(page, { name: 'Work', passphrase: OTHER_PASSPHRASE })
  await visit(page, 'Identity', 'Grants')
  await expect(page.getByText('Nothing is out there')).toBeVisible()
  await page.goto('/register?tab=accounts')
  await page.getByRole('button', { name: 'Switch to it' }).click()
  await expect(page.getByText('Account opened')).toBeVisible()
  await unlock(page, PASSPHRASE)
  await visit(page, 'Identity', 'Grants')
  await expect(card(page, 'Granted so far').getByText('Of home')).toBeVisible()

  // The other way from anywhere: by the header.
  await page.getByRole('button', { name: 'Accounts: Home' }).click()
  const others = page.getByRole('dialog', { name: 'Accounts in this browser' })
  await others.getByRole('button', { name: /^Switch to kh1/ }).click()
  await expect(others).toHaveCount(0)
  await expect(unlockDialog(page).getByLabel('Passphrase', { exact: true })).toBeFocused()
  await page.keyboard.type(OTHER_PASSPHRASE)
  await unlockDialog(page).getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Accounts: Work' })).toBeVisible()
  await expect(page.getByText('Nothing is out there')).toBeVisible()
})

test('the reminder goes when the backup was checked, not when it was written', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Home')
  await expect(page.getByText('No backup yet')).toBeVisible()
  const backup = await writeBackup(page)
  await visit(page, 'Home')
  await expect(page.getByText('The backup was not checked')).toBeVisible()

  await page.getByRole('link', { name: 'Check it' }).click()
  const check = card(page, 'Check a backup')
  await chooseBackup(check, backup)
  await check.getByLabel('Passphrase of the file').fill('certainly not this one')
  await check.getByRole('button', { name: 'Check the file' }).click()
  await expect(check.getByText('This passphrase does not open it.')).toBeVisible()
  await check.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await check.getByRole('button', { name: 'Check the file' }).click()
  await expect(check.getByText('The file opens, and everything in this vault is in it.')).toBeVisible()
  await visit(page, 'Home')
  await expect(card(page, 'Out there')).toBeVisible()
  await expect(page.getByText(/^(No backup yet|The backup )/)).toHaveCount(0)

  await grant(page, { to: STRANGER, command: '/msg/send' })
  await visit(page, 'Home')
  await expect(page.getByText('The backup is older than the vault')).toBeVisible()
  await visit(page, 'Identity', 'Backup')
  await chooseBackup(check, backup)
  await check.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await check.getByRole('button', { name: 'Check the file' }).click()
  await expect(check.getByText(/It lacks one token that you have now/)).toBeVisible()
})

test('a recovery code opens a backup file', async ({ page }) => {
  const { address, recoveryCode = '' } = await makeVault(page, { recoveryCode: true })
  const backup = await writeBackup(page)
  await removeOnlyAccount(page)
  await page.goto('/register?tab=restore')
  const form = card(page, 'Restore from a backup')
  await chooseBackup(form, backup)
  await form.getByRole('button', { name: 'Use the recovery code instead' }).click()
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByLabel('Recovery code', { exact: true }).fill(`${recoveryCode.slice(0, -1)}!`)
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(form.getByRole('alert')).toContainText(/mistyped/)
  await form
    .getByLabel('Recovery code', { exact: true })
    .fill(recoveryCode.toLowerCase().replaceAll('-', ' '))
  await form.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(page.getByText('Your vault is back, and open.')).toBeVisible()
  await expect(page.getByText(address).first()).toBeVisible()
})

/** RFC 8410, section 10.3: an Ed25519 private key in PKCS#8. */
const PKCS8 =
  '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n'
/** RFC 8037, appendix A.1. */
const JWK = JSON.stringify({
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
})
const PHRASE = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

for (const [kind, text] of [
  ['PKCS#8', PKCS8],
  ['a JWK', JWK],
] as const) {
  test(`a key from elsewhere, ${kind}: shown, then brought in`, async ({ page }) => {
    await makeVault(page)
    await visit(page, 'Identity', 'Backup')
    const form = card(page, 'A key from elsewhere')
    await form.getByRole('button', { name: 'Show what it is' }).click()
    await expect(form.getByText(/Paste the key or the phrase first/)).toBeVisible()
    await form.getByLabel('Key or phrase').fill(text)
    await form.getByRole('button', { name: 'Show what it is' }).click()
    await expect(form.getByText('Is this the one?')).toBeVisible()
    await expect(form.getByText('Ed25519', { exact: true })).toBeVisible()
    const did = (await form.getByText(/^did:key:z6Mk/).textContent()) ?? ''
    await form.getByLabel('Name of the key').fill('From before')
    await form.getByRole('button', { name: 'Import this key' }).click()
    await expect(form.getByText('The key is in this vault.')).toBeVisible()
    await expect(form.getByLabel('Key or phrase')).toHaveValue('')
    await visit(page, 'Identity', 'Keys')
    await expect(card(page, 'Keys').getByText('From before', { exact: true })).toBeVisible()
    await expect(card(page, 'Keys').getByText(did)).toBeVisible()

    // Twice is once: it is said, and nothing is changed.
    await visit(page, 'Identity', 'Backup')
    await form.getByLabel('Key or phrase').fill(text)
    await form.getByRole('button', { name: 'Show what it is' }).click()
    await expect(form.getByText('This account has this key already.')).toBeVisible()
    await expect(form.getByRole('button', { name: 'Import this key' })).toHaveCount(0)
  })
}

test('a phrase becomes the first key of a new vault, at a path that can be changed', async ({ page }) => {
  await page.goto('/register?tab=restore')
  await page.getByRole('radio', { name: /^A key from elsewhere/ }).click()
  const form = card(page, 'Start from a key from elsewhere')
  await form.getByLabel('Key or phrase').fill(PHRASE.replace('about', 'abandon'))
  await form.getByRole('button', { name: 'Show what it is' }).click()
  await expect(form.getByRole('alert')).toBeVisible()
  await form.getByLabel('Key or phrase').fill(PHRASE)
  await form.getByRole('button', { name: 'Show what it is' }).click()
  await expect(form.getByText('Is this the one?')).toBeVisible()
  await expect(form.getByLabel('Path')).toHaveValue("m/44'/0'/0'")
  const first = (await form.getByText(/^did:key:z6Mk/).textContent()) ?? ''
  await form.getByLabel('Path').fill("m/44'/0'/1'")
  await expect(form.getByText('Is this the one?')).toHaveCount(0)
  await form.getByRole('button', { name: 'Show what it is' }).click()
  const second = form.getByText(/^did:key:z6Mk/)
  await expect(second).toBeVisible()
  const did = (await second.textContent()) ?? ''
  expect(did).not.toBe(first)
  await fillNewVault(form, { name: 'Old wallet' })
  await form.getByRole('button', { name: 'Create the vault' }).click()
  expect((await madeVault(page)).did).toBe(did)
  await page.reload()
  await unlock(page)
})

test('a text that is no key is refused in words, and changes nothing', async ({ page }) => {
  const { did } = await makeVault(page)
  await visit(page, 'Identity', 'Backup')
  const form = card(page, 'A key from elsewhere')
  await form.getByLabel('Key or phrase').fill('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----')
  await form.getByRole('button', { name: 'Show what it is' }).click()
  await expect(form.getByRole('alert')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Import this key' })).toHaveCount(0)
  await visit(page, 'Identity', 'Keys')
  await expect(card(page, 'Keys').getByText(did)).toHaveCount(1)
})

test('a vault that nothing unlocks any more is opened by its backup, under a new passphrase', async ({
  page,
}) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  const backup = await writeBackup(page)
  await grant(page, { to: STRANGER, command: '/msg/read', label: 'Afterwards' })
  await page.reload()
  await page.goto('/register?tab=restore')
  const form = card(page, 'Restore from a backup')
  await chooseBackup(form, backup)
  await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await form.getByLabel('Nothing unlocks it anymore: open it with this file').check()
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await form.getByRole('button', { name: 'Open the vault' }).click()
  await expect(page.getByText('Your vault is back, and open.')).toBeVisible()
  await visit(page, 'Identity', 'Grants')
  const grants = card(page, 'Granted so far')
  for (const label of ['Holiday mails', 'Afterwards']) await expect(grants.getByText(label)).toBeVisible()
  await page.reload()
  await visit(page, 'Home')
  await unlock(page, OTHER_PASSPHRASE)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personal')
})

test('a key that was deleted stays deleted when an older backup is merged, unless it is asked for', async ({
  page,
}) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').fill('Phone')
  await page.getByRole('button', { name: 'Make the key' }).click()
  const phone = card(page, 'Keys').getByRole('listitem').filter({ hasText: 'Phone' })
  await expect(phone).toBeVisible()
  const backup = await writeBackup(page)
  await visit(page, 'Identity', 'Keys')
  await phone.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(/to confirm/).fill((await dialog.locator('label strong').textContent()) ?? '')
  await dialog.getByRole('button', { name: 'Delete the key' }).click()
  await expect(phone).toHaveCount(0)
  await openTab(page, 'Backup')
  const form = card(page, 'Merge a backup in')
  const merge = async () => {
    await chooseBackup(form, backup)
    await form.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
    await form.getByRole('button', { name: 'Merge it in' }).click()
  }
  await merge()
  await expect(form.getByText('One key in the file stays deleted')).toBeVisible()
  await form.getByLabel('Bring deleted keys back').check()
  await merge()
  await expect(form.getByText('New: 1 key')).toBeVisible()
})
