import { expect, test } from '../fixtures.ts'
import { card, makeVault, openTab, visit } from './person.ts'

test('functions answer, say how long it took, what it means, and how to do the same', async ({ page }) => {
  await page.goto('/demo')
  const panel = card(page, 'Call a function')
  const functions = panel.getByRole('navigation', { name: 'Functions' })
  // One of each group: that all of them answer is tested where it takes less time.
  for (const [name, words] of [
    ['new_origin_token', 'A token that anyone can check'],
    ['validate_invocation', 'It may be carried out'],
    ['verify_data', 'The signature fits'],
    ['list_keys', undefined],
    ['check_backup', undefined],
  ] as const) {
    await functions.getByRole('button', { name, exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`fn=${name}`))
    await expect(panel.getByRole('heading', { name })).toBeVisible()
    await panel.getByRole('button', { name: 'Call it' }).click()
    await expect(panel.getByText('answered', { exact: true })).toBeVisible()
    await expect(panel.getByText(/in [\d.,]+ ms/)).toBeVisible()
    if (words) await expect(panel.getByText(words)).toBeVisible()
  }
  await panel.getByText('The same in your own code').click()
  await expect(panel.getByRole('region', { name: 'code' })).toContainText("enclave.call('check_backup', {")

  // What a call has shut can be opened again.
  await functions.getByRole('button', { name: 'lock_vault', exact: true }).click()
  await panel.getByRole('button', { name: 'Call it' }).click()
  await expect(panel.getByText('answered', { exact: true })).toBeVisible()
  await functions.getByRole('button', { name: 'invoke', exact: true }).click()
  await panel.getByRole('button', { name: 'Call it' }).click()
  await expect(panel.getByText('refused', { exact: true })).toBeVisible()
  await functions.getByRole('button', { name: 'validate_invocation', exact: true }).click()
  await panel.getByRole('button', { name: 'Open it again' }).click()
  await panel.getByRole('button', { name: 'Call it' }).click()
  await expect(panel.getByText('answered', { exact: true })).toBeVisible()
})

test('the browser is measured, as a table to copy, and it can be stopped', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/demo?tab=benchmark')
  const panel = card(page, 'How fast is this browser?')
  await panel.getByRole('button', { name: 'Start measuring' }).click()
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel.getByText('Stopped.')).toBeVisible()
  await panel.getByRole('button', { name: 'Measure again' }).click()
  await expect(panel.getByRole('progressbar')).toBeVisible()
  const rows = panel.getByRole('rowgroup').last().getByRole('row')
  await expect(rows).toHaveCount(8, { timeout: 120_000 })
  for (const row of await rows.all())
    await expect(row.getByRole('cell').first()).toHaveText(/\d.* (a second|ms)$/)
  await panel.getByRole('button', { name: 'Copy the table' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('| Unlock: Argon2id, 64 MiB, 3 passes |')
})

test('input that is not JSON, or that the plugin refuses, is told apart', async ({ page }) => {
  await page.goto('/demo?fn=new_origin_token')
  const panel = card(page, 'Call a function')
  await panel.getByLabel('In', { exact: true }).fill('{oops')
  await panel.getByRole('button', { name: 'Call it' }).click()
  await expect(panel.getByText('This is not JSON: line 1, column 2')).toBeVisible()
  await panel.getByLabel('In', { exact: true }).fill('{"audience_did": "nobody", "command": "/x"}')
  await panel.getByRole('button', { name: 'Call it' }).click()
  await expect(panel.getByText('refused', { exact: true })).toBeVisible()
})

test('every attack is refused, and the real account knows nothing of it', async ({ page }) => {
  const { address } = await makeVault(page)
  await visit(page, 'Demo')
  await openTab(page, 'Attacks')
  const list = card(page, 'Attacks to try')
  const attacks = list.getByRole('listitem')
  await attacks.first().getByRole('button', { name: /^Try:/ }).click()
  await expect(attacks.first().getByText(/^Refused/)).toBeVisible()
  await list.getByRole('button', { name: 'Try them all' }).click()
  await expect(list.getByText('18 of 18 refused so far.')).toBeVisible()
  await expect(list.getByText(/^Refused/)).toHaveCount(18)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Lock' })).toBeVisible()
  await visit(page, 'Home')
  await expect(card(page, 'You').getByText(address)).toBeVisible()
  const kept = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  expect(kept.filter((name) => name?.startsWith('vault_'))).toEqual([`vault_${address}`])
  await page.reload()
  await expect(card(page, 'You').getByText(address)).toBeVisible()
})

test('an app asks for one thing, uses it for that alone, and is cut off', async ({ page }) => {
  await page.goto('/demo?tab=app')
  await page.getByRole('button', { name: 'Connect to the vault' }).click()
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('Nobody asks for anything.')).toBeVisible()
  await page.getByRole('button', { name: 'Connect to the vault' }).click()
  await page.getByRole('button', { name: 'Grant it' }).click()
  await page.getByRole('button', { name: 'Read the recipes' }).click()
  await expect(page.getByText('The service gave them out.')).toBeVisible()
  await page.getByRole('button', { name: 'Read the letters' }).click()
  await expect(page.getByText('The service gave them out.')).toHaveCount(0)
  await page.getByRole('button', { name: 'End the session' }).click()
  await expect(page.getByText('Ended and revoked')).toBeVisible()
  await page.getByRole('button', { name: 'Read the recipes' }).click()
  await expect(page.locator('code', { hasText: 'Revoked' })).toBeVisible()
})
