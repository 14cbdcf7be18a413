// A vault in a browser, created through the pages as a person does.

export const PASSPHRASE = 'violet anvil harbour thirty'
export const NAME = 'Personal'

/**
 * Creates a vault and leaves it open.
 * @param {import('@playwright/test').Page} page
 * @param {string} url of the client, with a trailing slash
 */
export async function makeVault(page, url) {
  await page.goto(`${url}register`)
  await page.getByLabel('Name', { exact: true }).fill(NAME)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('radio', { name: /^Passphrase/ }).check()
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE)
  await page.getByText(/^(Strong|Very strong)\./).waitFor()
  await page.getByRole('button', { name: 'Create vault' }).click()
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByText('Your vault is ready').waitFor()
}
