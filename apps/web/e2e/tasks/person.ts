import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { expect, type Guard } from '../fixtures.ts'

export const PASSPHRASE = 'violet anvil harbour thirty'
export const OTHER_PASSPHRASE = 'copper lantern meadow eleven'
export const FILE_PASSPHRASE = 'granite sparrow window forty'

/** A DID whose key nobody here has: the test vector of the did:key method. */
export const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

/** The card under a heading. */
export function card(page: Page, heading: string | RegExp): Locator {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: heading, exact: typeof heading === 'string' }) })
}

/** Types a new passphrase twice, and waits until it is judged to be strong enough. */
export async function choosePassphrase(
  scope: Page | Locator,
  label: string,
  passphrase: string,
): Promise<void> {
  await scope.getByLabel(label, { exact: true }).fill(passphrase)
  await scope.getByLabel('The same again').fill(passphrase)
  await expect(scope.getByText(/^(Strong|Very strong)\./)).toBeVisible()
}

/** Makes a vault by the pages, and leaves it open. @returns its address and DID */
export async function makeVault(
  page: Page,
  { name = 'Personal', passphrase = PASSPHRASE }: { name?: string; passphrase?: string } = {},
): Promise<{ address: string; did: string }> {
  await page.goto('/register')
  await page.getByLabel('Name').fill(name)
  await choosePassphrase(page, 'Passphrase', passphrase)
  await page.getByRole('button', { name: 'Create the vault' }).click()
  const made = card(page, 'Your vault is ready')
  await expect(made).toBeVisible()
  const [address = '', did = ''] = await made.locator('code').allTextContents()
  expect(address).toMatch(/^kh1[02-9ac-hj-np-z]{38}$/)
  expect(did).toMatch(/^did:key:z6Mk/)
  return { address, did }
}

/** Unlocks by the header's button. */
export async function unlock(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Unlock' }).click()
  const dialog = unlockDialog(page)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expectUnlocked(page)
}

/** The dialog that asks for the passphrase: what has just happened is announced in another one. */
export function unlockDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Unlock / })
}

export async function expectUnlocked(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('button', { name: 'Lock' })).toBeVisible()
}

export async function expectLocked(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('button', { name: 'Unlock' })).toBeVisible()
}

/** Goes to a page within the client, so that an open vault stays open. */
export async function visit(
  page: Page,
  name: 'Home' | 'Identity' | 'Payments' | 'Search' | 'Demo',
  tab?: string,
): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name, exact: true })
    .filter({ visible: true })
    .click()
  if (tab !== undefined) await page.getByRole('tab', { name: tab, exact: true }).click()
}

/** Fills in and signs a grant on the Grants tab. @returns the token's text */
export async function grant(
  page: Page,
  {
    to,
    command,
    label,
    limit,
  }: { to: string; command: string; label?: string; limit?: [string, string, string] },
): Promise<string> {
  await visit(page, 'Identity', 'Grants')
  const form = card(page, 'New grant')
  await form.getByLabel('To whom').fill(to)
  await form.getByLabel('May do what').fill(command)
  if (limit) {
    await form.getByRole('button', { name: 'Add a limit' }).click()
    await form.getByLabel('Limit 1: field').fill(limit[0])
    await form.getByLabel('Limit 1: comparison').click()
    await page.getByRole('option', { name: limit[1], exact: true }).click()
    await form.getByLabel('Limit 1: value').fill(limit[2])
  }
  if (label !== undefined) await form.getByLabel('A name for it').fill(label)
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  return await tokenText(card(page, 'Signed and stored'))
}

/** The token's text in a card that shows one. */
export async function tokenText(scope: Locator): Promise<string> {
  const text = (await scope.getByRole('region', { name: 'token' }).textContent())?.trim() ?? ''
  expect(text).toMatch(/^[CP][A-Za-z0-9_-]{100,}$/)
  return text
}

/** Another person: a browser of their own, watched as the first one is. */
export async function another(
  browser: Browser,
  guard: Guard,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await guard.watch(page)
  return { page, context }
}
