// Two devices up to the digits, as a person adds one, for the browser tests and for bench/.
import { expect } from '@playwright/test'

/** Six digits, as a screen reader reads them. */
export const SIX = /^\d \d \d \d \d \d$/

/**
 * Both sides up to the digits, which are compared.
 * @param {import('@playwright/test').Page} old a device of the vault, with its list of devices
 * @param {import('@playwright/test').Page} fresh the new one
 * @returns {Promise<void>}
 */
export async function pair(old, fresh) {
  await fresh.getByRole('button', { name: 'Show a code' }).click()
  const code = await fresh.getByLabel('The code of this device', { exact: true }).textContent()
  await old.getByRole('button', { name: 'Add a device' }).click()
  await old.getByLabel('The new device’s code', { exact: true }).fill(code ?? '')
  await old.keyboard.press('Enter')
  const [there, here] = await Promise.all([
    old.getByText(SIX).textContent(),
    fresh.getByText(SIX).textContent(),
  ])
  expect(there).toBe(here)
}
