import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { addAuthenticator } from '../support/authenticator.ts'
import { Hands } from '../support/hands.ts'
import { done } from '../support/most-presses.ts'
import { card, PASSPHRASE, STRANGER, visit } from '../support/person.ts'

/** What the first vault and its first grant may cost, from the landing page to a grant in the clipboard. Seconds: on a quiet machine. */
const BARS = {
  passkey: { presses: 9, secrets: 0, seconds: 45 },
  passphrase: { presses: 10, secrets: 2, seconds: 75 },
} as const

/** From a vault that was just made to a copied grant: skip, grant, paste, template, sign, copy. */
async function grantAndCopy(page: Page, hands: Hands, way: 'passkey' | 'passphrase'): Promise<string> {
  await hands.click(page.getByRole('button', { name: 'Skip for now' }))
  await expect(card(page, 'Your vault is ready')).toBeVisible()
  done(hands, `make a vault, by a ${way}`)
  await hands.click(card(page, 'Your vault is ready').getByRole('link', { name: 'Create your first grant' }))
  const form = card(page, 'New grant')
  await hands.paste(form.getByLabel('Who', { exact: true }), STRANGER)
  await hands.click(form.getByRole('button', { name: 'Read one folder' }))
  await hands.click(form.getByRole('button', { name: 'Sign the grant' }))
  await expect(card(page, 'Signed and stored')).toBeVisible()
  done(hands, 'grant')
  await hands.click(card(page, 'Signed and stored').getByRole('button', { name: 'Copy the token' }).first())
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^[CP][A-Za-z0-9_-]{100,}$/)
  done(hands, 'hand it over')
  return await copied()
}

/** Seconds are printed, not held: they say something on a quiet machine only. */
function report(way: string, hands: Hands, most: number): void {
  console.log(`${way}: ${hands.seconds().toFixed(1)} s of ${most}`)
}

const wayIn = (page: Page) =>
  page.getByRole('navigation', { name: 'Ways in' }).getByRole('link', { name: /Create vault/ })

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
})

test('by a passkey, from a new browser to a copied grant: 9 presses, no secret typed', async ({ page }) => {
  await addAuthenticator(page)
  const hands = new Hands()
  await page.goto('/')
  await hands.click(wayIn(page))
  await hands.click(page.getByRole('button', { name: 'Continue', exact: true }))
  await hands.click(page.getByRole('button', { name: 'Create vault' }))
  const token = await grantAndCopy(page, hands, 'passkey')

  const { presses, secrets, seconds } = BARS.passkey
  expect(hands.allPresses).toBeLessThanOrEqual(presses)
  expect(hands.secrets).toBe(secrets)
  report('by a passkey', hands, seconds)
  // It is a grant that holds: the client itself says so.
  await visit(page, 'Check a token')
  await page.getByLabel('Token', { exact: true }).fill(token)
  await expect(page.getByText('Valid.', { exact: true })).toBeVisible()
})

test('by a passphrase: two secrets typed, and 10 presses with the choice of it', async ({ page }) => {
  const hands = new Hands()
  await page.goto('/')
  await hands.click(wayIn(page))
  await hands.click(page.getByRole('button', { name: 'Continue', exact: true }))
  await hands.click(page.getByRole('radio', { name: /^Passphrase/ }))
  await hands.typeSecret(page.getByLabel('Passphrase', { exact: true }), PASSPHRASE)
  await hands.typeSecret(page.getByLabel('Confirm passphrase'), PASSPHRASE)
  await expect(page.getByRole('button', { name: 'Create vault' })).toBeEnabled()
  await hands.press(page, 'Enter')
  await grantAndCopy(page, hands, 'passphrase')

  const { presses, secrets, seconds } = BARS.passphrase
  expect(hands.allPresses).toBeLessThanOrEqual(presses)
  expect(hands.secrets).toBe(secrets)
  report('by a passphrase', hands, seconds)
})
