import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { card, openTab, PASSPHRASE, STRANGER } from '../support/person.ts'

/** What the first vault and its first grant may cost, once the passphrase is typed. */
const MOST = 8

/** A person whose clicks, pastes and keys are counted. Waiting and looking cost nothing. */
class Hands {
  count = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    this.count += 1
    await target.click()
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.count += 1
    await field.fill(text)
  }

  async press(key: string): Promise<void> {
    this.count += 1
    await this.#page.keyboard.press(key)
  }
}

test(`from a new browser to a copied grant in ${MOST} interactions after the passphrase`, async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Ways in' })
    .getByRole('link', { name: /Create vault/ })
    .click()
  await page.getByLabel('Name', { exact: true }).fill('Personal')
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)

  const hands = new Hands(page)
  await hands.fill(page.getByLabel('The same again'), PASSPHRASE)
  await expect(page.getByRole('button', { name: 'Create the vault' })).toBeEnabled()
  await hands.press('Enter')
  await hands.click(card(page, 'Your vault is ready').getByRole('link', { name: 'Grant something' }))
  const form = card(page, 'New grant')
  await hands.fill(form.getByLabel('To whom'), STRANGER)
  await hands.click(form.getByRole('button', { name: 'Read one folder' }))
  await hands.click(form.getByRole('button', { name: 'Sign the grant' }))
  await hands.click(card(page, 'Signed and stored').getByRole('button', { name: 'Copy the token' }).first())

  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^[CP][A-Za-z0-9_-]{100,}$/)
  expect(hands.count).toBeLessThanOrEqual(MOST)
  // It is a grant that holds: the client itself says so.
  const token = await copied()
  await openTab(page, 'Check a token')
  await page.getByLabel('Token', { exact: true }).fill(token)
  await expect(page.getByText('It holds.', { exact: true })).toBeVisible()
})
