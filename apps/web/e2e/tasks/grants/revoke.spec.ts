import { expect, test } from '../../fixtures.ts'
import { another, card, grant, makeVault, STRANGER, tokenText, visit } from '../support/person.ts'

test('a grant is revoked: whom it affects is shown, the revocation is handed over, and a service refuses the token', async ({
  page,
  browser,
  guard,
}) => {
  await makeVault(page)
  // What Bob narrows and passes on comes back into the vault that granted it, which so knows of the stranger.
  const { page: bob, context } = await another(browser, guard)
  const { did: bobsDid } = await makeVault(bob, { name: 'Bob' })
  const given = await grant(page, { to: bobsDid, command: '/msg', label: 'Mails for Bob' })
  await visit(bob, 'Identity', 'Received')
  await card(bob, 'Take in a token').getByLabel('Token', { exact: true }).fill(given)
  await bob.getByRole('button', { name: 'Verify and keep' }).click()
  await bob.getByRole('button', { name: 'Narrow and pass on' }).click()
  const narrow = card(bob, 'Narrow and pass on')
  await expect(narrow.getByLabel('To whom')).toBeFocused()
  await narrow.getByLabel('To whom').fill(STRANGER)
  await narrow.getByLabel('May do what').fill('/msg/send')
  await narrow.getByRole('button', { name: 'Sign and pass on' }).click()
  const narrowed = await tokenText(card(bob, 'Signed and stored'))
  await context.close()
  await visit(page, 'Identity', 'Received')
  await card(page, 'Take in a token').getByLabel('Token', { exact: true }).fill(narrowed)
  await page.getByRole('button', { name: 'Verify and keep' }).click()
  await expect(page.getByText('It is made out to someone else’s key')).toBeVisible()

  await visit(page, 'Identity', 'Grants')
  const mine = card(page, 'Granted so far').getByRole('article', { name: 'Mails for Bob' })
  await mine.getByRole('button', { name: 'Details' }).click()
  await mine.getByRole('button', { name: 'Revoke…' }).click()
  const dialog = page.getByRole('alertdialog')
  const affected = dialog.getByRole('list', { name: 'Who is affected' })
  await expect(affected.getByRole('listitem')).toHaveCount(2)
  // Who has no name is told by the end of the key, and the whole of it is a press away.
  for (const did of [bobsDid, STRANGER]) {
    await affected.getByRole('button', { name: `Unknown key (…${did.slice(-4)})` }).click()
    await expect(affected).toContainText(did)
  }
  const revoke = dialog.getByRole('button', { name: 'Revoke it for good' })
  await expect(revoke).toBeDisabled()
  await dialog.getByLabel(/to confirm/).fill('revoke')
  await revoke.click()
  await expect(dialog).toHaveCount(0)

  // The focus is where it was; the list says so; the text is there to hand over.
  await expect(mine.getByRole('button', { name: 'Hide the revocation' })).toBeFocused()
  await expect(mine.getByText('revoked', { exact: true })).toBeVisible()
  const revocation = (
    await mine.getByRole('region', { name: 'revocation', exact: true }).textContent()
  )?.trim()
  expect(revocation).toMatch(/^[CP][A-Za-z0-9_-]{100,}$/)
  await mine.getByRole('button', { name: 'Show a QR code of the revocation' }).click()
  await expect(page.getByRole('dialog', { name: 'QR code of the revocation' })).toBeVisible()
  await page.keyboard.press('Escape')

  await visit(page, 'Identity', 'Received')
  const signed = card(page, 'What you signed')
  await expect(signed.getByRole('listitem')).toHaveCount(1)
  await signed.getByRole('link').click()
  await expect(mine.getByRole('button', { name: 'Hide details' })).toBeVisible()
  await expect(mine.getByText('revoked', { exact: true })).toBeVisible()
})
