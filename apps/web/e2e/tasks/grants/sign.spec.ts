import { expect, test } from '../../fixtures.ts'
import { another, card, makeVault, visit } from '../support/person.ts'

test('a text is signed, and a stranger verifies it', async ({ page, browser, guard }) => {
  const { did } = await makeVault(page)
  await visit(page, 'Identity', 'Keys')
  const sign = card(page, 'Sign')
  await sign.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(sign.getByText('Type a text or choose a file to sign.')).toBeVisible()
  await sign.getByLabel('Text to sign').fill('The boiler was serviced today. ✓')
  await sign.getByRole('button', { name: 'Sign', exact: true }).click()
  const signature = (await sign.getByRole('region', { name: 'signature' }).textContent())?.trim() ?? ''
  expect(signature).toMatch(/^[A-Za-z0-9_-]{86}$/)

  const { page: stranger, context } = await another(browser, guard)
  await makeVault(stranger, { name: 'Stranger' })
  await visit(stranger, 'Identity', 'Keys')
  const verify = card(stranger, 'Verify')
  await verify.getByLabel('Text that was signed').fill('The boiler was serviced today. ✓')
  await verify.getByLabel('Signature').fill(signature)
  await verify.getByLabel('Signed by').fill(did)
  await verify.getByRole('button', { name: 'Verify' }).click()
  await expect(verify.getByText('The signature fits.')).toBeVisible()
  await context.close()
})

test('a file is signed and verified, by keys of every type', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Keys')
  for (const [type, name] of [
    ['P-256', 'Work'],
    ['secp256k1', 'Chain'],
  ] as const) {
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = page.getByRole('dialog', { name: 'New key' })
    await dialog.getByLabel('Type').click()
    await page.getByRole('option', { name: type }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(card(page, 'Keys').getByText(name, { exact: true })).toBeVisible()
  }
  const file = {
    name: 'plan.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from([0, 255, 1, 254, 2]),
  }
  for (const name of ['Ed25519', 'Work', 'Chain']) {
    const sign = card(page, 'Sign')
    await sign.locator('input[type=file]').setInputFiles(file)
    // What was signed before is gone once this one is read.
    await expect(sign.getByText('Signed “plan.bin”')).toHaveCount(0)
    await expect(sign.getByText(/^plan\.bin, /)).toBeVisible()
    await sign.getByLabel('Signed with').click()
    await page.getByRole('option', { name }).click()
    await sign.getByRole('button', { name: 'Sign', exact: true }).click()
    await expect(sign.getByText('Signed “plan.bin”')).toBeVisible()
    const signature = (await sign.getByRole('region', { name: 'signature' }).textContent())?.trim() ?? ''
    const signer = (await sign.getByRole('region', { name: 'signer' }).textContent())?.trim() ?? ''
    const verify = card(page, 'Verify')
    await verify.locator('input[type=file]').setInputFiles(file)
    await expect(verify.getByText(/^plan\.bin, /)).toBeVisible()
    await verify.getByLabel('Signature').fill(signature)
    await verify.getByLabel('Signed by').fill(signer)
    await verify.getByRole('button', { name: 'Verify' }).click()
    await expect(verify.getByText('The signature fits.')).toBeVisible()
  }
})

test('keys are renamed, made the default and deleted; the first one stays', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Keys')
  const keys = card(page, 'Keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').fill('Spare')
  await page.getByRole('button', { name: 'Make the key' }).click()
  const spare = keys.getByRole('listitem').filter({ hasText: 'Spare' })
  await spare.getByRole('button', { name: 'Make it the default' }).click()
  await expect(spare.getByText('default', { exact: true })).toBeVisible()
  await spare.getByRole('button', { name: 'Rename Spare' }).click()
  await keys.getByLabel('Name of the key').fill('Phone')
  await keys.getByRole('button', { name: 'Save' }).click()
  const phone = keys.getByRole('listitem').filter({ hasText: 'Phone' })
  await expect(phone).toBeVisible()

  const first = keys.getByRole('listitem').filter({ hasText: 'first key' })
  await expect(first.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await phone.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText('No stored grant was signed with it.')).toBeVisible()
  await dialog.getByLabel(/to confirm/).fill((await dialog.locator('label strong').textContent()) ?? '')
  await dialog.getByRole('button', { name: 'Delete the key' }).click()
  await expect(phone).toHaveCount(0)
  await expect(first.getByText('default', { exact: true })).toBeVisible()
})
