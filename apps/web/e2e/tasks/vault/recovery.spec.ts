import { expect, test } from '../../fixtures.ts'
import {
  card,
  chooseBackup,
  choosePassphrase,
  FILE_PASSPHRASE,
  grant,
  loseDatabase,
  makeVault,
  OTHER_PASSPHRASE,
  STRANGER,
  unlock,
  visit,
  writeBackup,
} from '../support/person.ts'

test('a vault whose database is gone is restored from the second copy', async ({ page, context, guard }) => {
  const { address } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  const after = await loseDatabase(page, context, guard, address)
  await expect(after.getByRole('heading', { level: 1 })).toHaveText('Your vault is missing')
  await expect(after.getByText('A second copy is here, and it is whole.')).toBeVisible()
  await expect(after.getByText(address)).toBeVisible()
  // Wherever one goes: nobody is taken for a new visitor.
  await visit(after, 'Identity')
  await expect(after.getByText('The vault of this browser is missing.')).toBeVisible()
  await visit(after, 'Home')
  await after.getByRole('button', { name: 'Restore it from the copy' }).click()
  await expect(after.getByText(/Your keys and one token are back/).first()).toBeVisible()
  await unlock(after)
  await visit(after, 'Identity', 'Grants')
  await expect(card(after, 'Granted so far').getByText('Holiday mails')).toBeVisible()
})

test('where the copy is gone too, it is said plainly, and a backup brings it back', async ({
  page,
  context,
  guard,
}) => {
  const { address } = await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  const backup = await writeBackup(page)
  const after = await loseDatabase(page, context, guard, address, { mirrorToo: true })
  const lost = card(after, 'What happened to this vault')
  await expect(lost.getByText('Nothing of it is left in this browser.')).toBeVisible()
  await expect(after.getByRole('button', { name: 'Restore it from the copy' })).toHaveCount(0)
  await chooseBackup(lost, backup)
  await lost.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE)
  await choosePassphrase(lost, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await lost.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(after.getByRole('heading', { level: 1 })).toHaveText('Personal')
  await visit(after, 'Identity', 'Grants')
  await expect(card(after, 'Granted so far').getByText('Holiday mails')).toBeVisible()
  await visit(after, 'Home')
  await expect(after.getByText('What happened to this vault')).toHaveCount(0)
})

test('it is forgotten only by typing, and then it is a new browser', async ({ page, context, guard }) => {
  const { address } = await makeVault(page)
  const after = await loseDatabase(page, context, guard, address)
  await after.getByRole('button', { name: 'Forget it' }).click()
  const dialog = after.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: 'Forget it for good' })).toBeDisabled()
  await dialog.getByLabel(/to confirm/).fill(address.slice(-6))
  await dialog.getByRole('button', { name: 'Forget it for good' }).click()
  await expect(after.getByRole('heading', { level: 1 })).toContainText('keys')
  await after.reload()
  await expect(after.getByRole('heading', { level: 1 })).toContainText('keys')
})

test('the other vaults of the browser go on as they were', async ({ page, context, guard }) => {
  const { address } = await makeVault(page, { name: 'Lost one' })
  await makeVault(page, { name: 'Still here', passphrase: OTHER_PASSPHRASE })
  const after = await loseDatabase(page, context, guard, address)
  await unlock(after, OTHER_PASSPHRASE)
  await expect(after.getByRole('heading', { level: 1 })).toHaveText('Still here')
  await expect(card(after, 'What happened to this vault').getByText(address)).toBeVisible()
})

test('where nothing can be stored it is said before a passphrase is typed', async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError')
    }
  })
  for (const tab of ['create', 'restore']) {
    await page.goto(`/register?tab=${tab}`)
    await expect(page.getByText("This browser can't save a vault right now.")).toBeVisible()
    await expect(page.getByLabel(/passphrase/i)).toHaveCount(0)
  }
})
