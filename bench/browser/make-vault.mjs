// A vault in a browser, made by the pages as a person makes one.

export const PASSPHRASE = 'violet anvil harbour thirty'
export const NAME = 'Personal'

/**
 * Makes a vault, and leaves it open.
 * @param {import('@playwright/test').Page} page
 * @param {string} url of the client, with a slash at its end
 */
export async function makeVault(page, url) {
  await page.goto(`${url}register`)
  await page.getByLabel('Name', { exact: true }).fill(NAME)
  await page.getByRole('radio', { name: /^Passphrase/ }).check()
  await page.getByRole('checkbox', { name: /^Make a recovery code/ }).setChecked(false)
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await page.getByLabel('The same again').fill(PASSPHRASE)
  await page.getByText(/^(Strong|Very strong)\./).waitFor()
  await page.getByRole('button', { name: 'Create the vault' }).click()
  await page.getByText('Your vault is ready').waitFor()
}
