import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { addAuthenticator } from '../support/authenticator.ts'
import {
  card,
  choosePassphrase,
  expectLocked,
  expectUnlocked,
  fillNewVault,
  madeVault,
  makeVault,
  OTHER_PASSPHRASE,
  PASSPHRASE,
  prove,
  unlock,
  unlockDialog,
  visit,
} from '../support/person.ts'

async function unlockByPasskey(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  const dialog = unlockDialog(page)
  await expect(dialog.getByText(/Your device asks for the passkey/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Unlock', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectUnlocked(page)
}

test('a vault made with a passkey opens by it after a reload', async ({ page }) => {
  const authenticator = await addAuthenticator(page)
  const { recoveryCode } = await makeVault(page, { opening: 'Passkey' })
  // A passkey alone is never all that there is.
  expect(recoveryCode).toMatch(/^[0-9A-Z*~$=-]{27,40}$/)
  expect(await authenticator.passkeys()).toBe(1)
  await page.reload()
  await expectLocked(page)
  await unlockByPasskey(page)
})

test('a second passkey: added, named, used alone, removed', async ({ page }) => {
  const first = await addAuthenticator(page)
  await makeVault(page, { opening: 'Both' })
  await visit(page, 'Settings', 'Unlocking')
  const ways = card(page, 'Ways to unlock')
  const items = ways.getByRole('listitem')
  await expect(items).toHaveCount(3)

  // The one that is there is not taken twice.
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await ways.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByRole('button', { name: 'Use the passphrase instead' }).click()
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await dialog.getByRole('button', { name: 'Add the passkey' }).click()
  await expect(dialog.getByText('This device or security key is one of yours already.')).toBeVisible()
  expect(await first.passkeys()).toBe(1)

  await first.touches(false)
  const second = await addAuthenticator(page, { transport: 'usb' })
  await dialog.getByLabel('Name of the passkey').fill('Blue key')
  await dialog.getByRole('button', { name: 'Add the passkey' }).click()
  await expect(dialog).toBeHidden()
  await expect(items).toHaveCount(4)
  await expect(ways.getByText('Blue key')).toBeVisible()

  await ways.getByRole('button', { name: 'Rename Blue key' }).click()
  const naming = page.getByRole('dialog', { name: 'Rename Blue key' })
  await naming.getByLabel('Name').fill('Key in the drawer')
  await naming.getByRole('button', { name: 'Save the name' }).click()
  await expect(ways.getByText('Key in the drawer')).toBeVisible()

  // Either one opens it.
  await page.reload()
  await unlockByPasskey(page)
  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  await second.touches(false)
  await first.touches(true)
  await unlockByPasskey(page)

  await visit(page, 'Settings', 'Unlocking')
  await ways.getByRole('button', { name: 'Remove Key in the drawer' }).click()
  const removing = page.getByRole('dialog', { name: /^Remove Key in the drawer/ })
  await removing.getByRole('button', { name: 'Use the passphrase instead' }).click()
  await prove(page, 'Remove it')
  await expect(removing).toBeHidden()
  await expect(items).toHaveCount(3)

  await page.reload()
  await unlockByPasskey(page)
})

test('changing the passphrase leaves the passkey working', async ({ page }) => {
  await addAuthenticator(page)
  await makeVault(page, { opening: 'Both' })
  await visit(page, 'Settings', 'Unlocking')
  const form = card(page, 'Change the passphrase')
  await form.getByLabel('Current passphrase').fill(PASSPHRASE)
  await form.getByLabel('New passphrase').fill(OTHER_PASSPHRASE)
  await form.getByLabel('Confirm passphrase').fill(OTHER_PASSPHRASE)
  await form.getByRole('button', { name: 'Change passphrase' }).click()
  await expect(form.getByText('The passphrase is changed.')).toBeVisible()
  await page.reload()
  await unlockByPasskey(page)
  await page.reload()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  const dialog = unlockDialog(page)
  await dialog.getByRole('button', { name: 'Use the passphrase instead' }).click()
  await dialog.getByLabel('Passphrase', { exact: true }).fill(OTHER_PASSPHRASE)
  await dialog.getByRole('button', { name: 'Unlock', exact: true }).click()
  await expectUnlocked(page)
})

test('a passkey proves who one is, for a passphrase that is lost', async ({ page }) => {
  await addAuthenticator(page)
  await makeVault(page, { opening: 'Both' })
  await visit(page, 'Settings', 'Unlocking')
  const form = card(page, 'Change the passphrase')
  await form.getByRole('button', { name: 'Use a passkey instead' }).click()
  await form.getByLabel('New passphrase').fill(OTHER_PASSPHRASE)
  await form.getByLabel('Confirm passphrase').fill(OTHER_PASSPHRASE)
  await form.getByRole('button', { name: 'Change passphrase' }).click()
  await expect(form.getByText('The passphrase is changed.')).toBeVisible()
})

async function tryToCreate(page: Page): Promise<void> {
  await page.goto('/register')
  await fillNewVault(page, { opening: 'Passkey' })
  await page.getByRole('button', { name: 'Create vault' }).click()
}

async function expectNoVault(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Create vault' })).toBeEnabled()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Create vault' })).toBeVisible()
}

test('an authenticator without PRF is told so, and what to do', async ({ page }) => {
  await addAuthenticator(page, { prf: false })
  await tryToCreate(page)
  await expect(page.getByRole('alert')).toContainText('This device or security key can’t open a vault.')
  await expect(page.getByRole('alert')).toContainText('or use a passphrase')
  await expectNoVault(page)
})

test('who cancels is told that nothing was changed, and can try again', async ({ page }) => {
  const refusing = await addAuthenticator(page)
  await refusing.recognises(false)
  await tryToCreate(page)
  await expect(page.getByRole('alert')).toContainText('The passkey was not used.')
  await expectNoVault(page)
  await refusing.remove()
  const authenticator = await addAuthenticator(page)
  await page.getByRole('button', { name: 'Create vault' }).click()
  await expect(card(page, 'Save your recovery code')).toBeVisible()

  // Another one answers, which does not have it.
  await page.reload()
  await authenticator.touches(false)
  const stranger = await addAuthenticator(page, { transport: 'usb' })
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  const dialog = unlockDialog(page)
  await dialog.getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('The passkey was not used.')
  await stranger.remove()
  await authenticator.touches(true)
  await dialog.getByRole('button', { name: 'Unlock', exact: true }).click()
  await expectUnlocked(page)
})

/** Takes the evaluations out of what the authenticator answers: at creation, or always. Runs before the page's scripts. */
function withoutResults(always: boolean): void {
  const { getClientExtensionResults } = PublicKeyCredential.prototype
  PublicKeyCredential.prototype.getClientExtensionResults = function (this: PublicKeyCredential) {
    const results = Reflect.apply(getClientExtensionResults, this, [])
    const made = this.response instanceof AuthenticatorAttestationResponse
    return made ? { ...results, prf: { enabled: true } } : always ? { ...results, prf: {} } : results
  }
}

test('an authenticator that evaluates only when used is asked a second time', async ({ page }) => {
  await addAuthenticator(page)
  await page.addInitScript(withoutResults, false)
  await makeVault(page, { opening: 'Passkey' })
  await page.reload()
  await unlockByPasskey(page)
})

test('one that answers "enabled" and never gives a result is told so, and what to do', async ({ page }) => {
  await addAuthenticator(page)
  await page.addInitScript(withoutResults, true)
  await tryToCreate(page)
  await expect(page.getByRole('alert')).toContainText('This device or security key gave no key.')
  await expect(page.getByRole('alert')).toContainText('or use a passphrase')
  await expectNoVault(page)
})

test('a browser without passkeys says so', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  })
  await page.goto('/register')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByText('Passkeys can’t unlock a vault in this browser.')).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await choosePassphrase(page, 'Passphrase', PASSPHRASE)
  await page.getByRole('button', { name: 'Create vault' }).click()
  await madeVault(page)
})

test('a passkey that was removed opens nothing, and the passphrase still does', async ({ page }) => {
  await addAuthenticator(page)
  await makeVault(page, { opening: 'Both' })
  await visit(page, 'Settings', 'Unlocking')
  const ways = card(page, 'Ways to unlock')
  await ways.getByRole('button', { name: 'Remove Passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use the passphrase instead' }).click()
  await prove(page, 'Remove it')
  await expect(ways.getByRole('listitem')).toHaveCount(2)
  await page.reload()
  await unlock(page)
})
