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
  await visit(bob, 'Grants', 'Received')
  await card(bob, 'Add a token').getByLabel('Token', { exact: true }).fill(given)
  await bob.getByRole('button', { name: 'Check and add' }).click()
  await bob.getByRole('button', { name: 'Narrow and pass on' }).click()
  const narrow = card(bob, 'Narrow and pass on')
  await expect(narrow.getByLabel('Who', { exact: true })).toBeFocused()
  await narrow.getByLabel('Who', { exact: true }).fill(STRANGER)
  await narrow.getByLabel('What they can do').fill('/msg/send')
  await narrow.getByRole('button', { name: 'Sign and pass on' }).click()
  const narrowed = await tokenText(card(bob, 'Signed and stored'))
  await context.close()
  await visit(page, 'Grants', 'Received')
  await card(page, 'Add a token').getByLabel('Token', { exact: true }).fill(narrowed)
  await page.getByRole('button', { name: 'Check and add' }).click()
  await expect(page.getByText('It is made out to someone else’s key')).toBeVisible()

  await visit(page, 'Grants')
  const mine = page.getByRole('article', { name: 'Mails for Bob' })
  await mine.getByRole('link', { name: 'Details' }).click()
  // Its page says who has it, and who it was passed on to as far as this vault knows.
  await expect(page).toHaveURL(/tab=grants&token=/)
  await expect(mine).toBeFocused()
  const passedOn = mine.getByRole('list', { name: 'Passed on to' })
  await expect(passedOn).toContainText(`Unknown key (…${STRANGER.slice(-4)})`)
  await expect(passedOn.getByRole('listitem')).toHaveCount(1)
  await mine.getByRole('button', { name: 'Revoke…' }).click()
  const dialog = page.getByRole('alertdialog')
  // The button that keeps the grant has the focus.
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  const affected = dialog.getByRole('list', { name: 'Who is affected' })
  await expect(affected.getByRole('listitem')).toHaveCount(2)
  // Who has no name is told by the end of the key, and the whole of it is a press away.
  for (const did of [bobsDid, STRANGER]) {
    await affected.getByRole('button', { name: `Unknown key (…${did.slice(-4)})` }).click()
    await expect(affected).toContainText(did)
  }
  // One press confirms it.
  await dialog.getByRole('button', { name: 'Revoke it for good' }).click()
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

  await visit(page, 'Grants', 'Received')
  const signed = card(page, 'What you signed')
  await expect(signed.getByRole('listitem')).toHaveCount(1)
  await signed.getByRole('link').click()
  await expect(page).toHaveURL(/tab=grants&token=/)
  await expect(mine.getByText('revoked', { exact: true })).toBeVisible()
})

test('the last grants on Home are revoked by keyboard, and the focus stays where they were', async ({
  page,
}) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg', label: 'First' })
  await grant(page, { to: STRANGER, command: '/crud/read', label: 'Second' })
  await visit(page, 'Home')
  const active = card(page, 'Active grants')
  const revokeFirst = async () => {
    await active.getByRole('button', { name: 'Revoke…' }).first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await expect(dialog.getByRole('list', { name: 'Who is affected' })).toBeVisible()
    await page.keyboard.press('Tab')
    const confirm = dialog.getByRole('button', { name: 'Revoke it for good' })
    await expect(confirm).toBeFocused()
    await expect(confirm).not.toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
  }
  await revokeFirst()
  await expect(active.getByRole('button', { name: 'Revoke…' })).toHaveCount(1)
  await expect(active.getByRole('region', { name: /^Timeline of active grants/ })).toBeFocused()
  await revokeFirst()
  await expect(active.getByText('No one holds a grant from you')).toBeVisible()
  await expect(active.getByRole('group', { name: 'Active grants' })).toBeFocused()
  // The next stop is what to do now.
  await page.keyboard.press('Tab')
  await expect(active.getByRole('link', { name: 'New grant' })).toBeFocused()
})

test('a grant is revoked from the palette by keyboard: it asks, and names what is lost', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await visit(page, 'Payments')
  const palette = page.getByRole('dialog', { name: 'Find or do something' })
  const ask = async () => {
    await page.keyboard.press('Control+k')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('revoke holi')
    await expect(palette.getByRole('option').first()).toContainText('Revoke “Holiday mails”…')
    await page.keyboard.press('Enter')
    await expect(palette).toHaveCount(0)
  }
  await ask()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await expect(dialog.getByText('You let Unknown key (…2doK) send messages')).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Who is affected' })).toContainText('Unknown key (…2doK)')
  // Enter is still on the button that keeps it.
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await ask()
  await expect(dialog.getByRole('list', { name: 'Who is affected' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Tab')
  const confirm = dialog.getByRole('button', { name: 'Revoke it for good' })
  await expect(confirm).toBeFocused()
  await expect(confirm).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeFocused()
  await expect(page.getByText('1 grant revoked')).toBeVisible()
  // What is revoked is found, but can't be revoked again.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('holi')
  await expect(palette.getByRole('option', { name: /^Holiday mails/ }).first()).toBeVisible()
  await expect(palette.getByRole('option', { name: /^Revoke/ })).toHaveCount(0)
})
