import { expect, test } from '../fixtures.ts'
import { card, makeVault, visit } from './person.ts'

const FUNCTIONS = [
  'new_origin_token',
  'new_attenuated_token',
  'verify_token',
  'inspect_token',
  'sign_data',
  'verify_data',
  'get_issuer_did',
  'list_keys',
  'vault_status',
]

test('each function answers, and says how long it took', async ({ page }) => {
  for (const name of FUNCTIONS) {
    if (name === FUNCTIONS[0]) await page.goto(`/demo?fn=${name}`)
    else {
      await page.getByRole('combobox', { name: 'Function' }).click()
      await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
    }
    const panel = card(page, 'Call a function')
    await expect(panel.getByRole('combobox', { name: 'Function' })).toContainText(name)
    await panel.getByRole('button', { name: 'Call it' }).click()
    await expect(panel.getByText('answered')).toBeVisible()
    await expect(panel.getByText(/in [\d.]+ ms/)).toBeVisible()
  }
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
  await page.getByRole('tab', { name: 'Attacks' }).click()
  const list = card(page, 'Attacks to try')
  const attacks = list.getByRole('listitem')
  await expect(attacks).toHaveCount(8)
  for (const attack of await attacks.all()) {
    await attack.getByRole('button', { name: /^Try:/ }).click()
    await expect(attack.getByText(/^Refused/)).toBeVisible()
  }
  await expect(page.getByRole('banner').getByRole('button', { name: 'Lock' })).toBeVisible()
  await visit(page, 'Home')
  await expect(card(page, 'You').getByText(address)).toBeVisible()
  const kept = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  expect(kept.filter((name) => name?.startsWith('vault_'))).toEqual([`vault_${address}`])
  await page.reload()
  await expect(card(page, 'You').getByText(address)).toBeVisible()
})
