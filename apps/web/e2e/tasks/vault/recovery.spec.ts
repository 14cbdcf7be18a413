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
  await expect(after.getByText('The second copy is here, and complete.')).toBeVisible()
  await expect(after.getByText(address)).toBeVisible()
  // Wherever one goes: nobody is taken for a new visitor.
  await visit(after, 'Grants')
  await expect(after.getByText('The vault of this browser is missing.')).toBeVisible()
  await visit(after, 'Home')
  await after.getByRole('button', { name: 'Restore it from the copy' }).click()
  await expect(after.getByText(/Your keys and one token are back/).first()).toBeVisible()
  await unlock(after)
  await visit(after, 'Grants')
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
  const lost = card(after, 'The missing vault')
  await expect(lost.getByText('Nothing of it is left in this browser.')).toBeVisible()
  await expect(after.getByRole('button', { name: 'Restore it from the copy' })).toHaveCount(0)
  await chooseBackup(lost, backup)
  await lost.getByLabel('Backup passphrase').fill(FILE_PASSPHRASE)
  await choosePassphrase(lost, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await lost.getByRole('button', { name: 'Restore the vault' }).click()
  await expect(after.getByRole('heading', { level: 1 })).toHaveText('Personal')
  await visit(after, 'Grants')
  await expect(card(after, 'Granted so far').getByText('Holiday mails')).toBeVisible()
  await visit(after, 'Home')
  await expect(after.getByText('The missing vault')).toHaveCount(0)
})
