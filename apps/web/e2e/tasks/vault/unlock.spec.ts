import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { addAuthenticator } from '../support/authenticator.ts'
import { heapHolds } from '../support/heap.ts'
import {
  card,
  expectLocked,
  expectUnlocked,
  grant,
  makeVault,
  PASSPHRASE,
  prove,
  STRANGER,
  unlock,
  unlockDialog,
  visit,
} from '../support/person.ts'

async function byRecoveryCode(page: Page, code: string): Promise<void> {
  const dialog = unlockDialog(page)
  await dialog.getByLabel('Recovery code', { exact: true }).fill(code)
  await dialog.getByRole('button', { name: 'Unlock', exact: true }).click()
}

test('a recovery code is given back, and opens the vault however it is typed', async ({ page }) => {
  const { recoveryCode = '' } = await makeVault(page, { recoveryCode: true })
  const keep = card(page, 'Keep your recovery code')
  await keep.getByRole('button', { name: 'I have kept it' }).click()
  await expect(keep.getByText('Type or paste the code from where you keep it.')).toBeVisible()
  await keep.getByLabel('Type or paste it back').fill(`${recoveryCode}0`)
  await keep.getByRole('button', { name: 'I have kept it' }).click()
  await expect(keep.getByText(/This is not the code above/)).toBeVisible()
  await keep.getByLabel('Type or paste it back').fill(recoveryCode)
  await keep.getByRole('button', { name: 'I have kept it' }).click()
  await expect(keep.getByText('The recovery code is kept.')).toBeVisible()
  await expect(page.getByText(recoveryCode)).toHaveCount(0)

  await page.reload()
  const opener = page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true })
  await opener.click()
  await expect(unlockDialog(page).getByLabel('Passphrase', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await unlockDialog(page).getByRole('button', { name: 'Use the recovery code instead' }).click()
  await byRecoveryCode(page, recoveryCode.slice(0, -2))
  await expect(unlockDialog(page).getByRole('alert')).toContainText(/characters|mistyped/)
  await byRecoveryCode(page, ` ${recoveryCode.toLowerCase().replaceAll('-', ' ')}`)
  await expectUnlocked(page)
})

test('after unlocking the focus is on the page, so that another Enter does not lock again', async ({
  page,
}) => {
  await makeVault(page)
  const heading = page.getByRole('heading', { level: 1 })
  const openers = [
    async () => {
      await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).focus()
      await page.keyboard.press('Enter')
    },
    async () => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('unlock')
      await page
        .getByRole('option', { name: /^Unlock/ })
        .first()
        .click()
    },
  ]
  for (const open of openers) {
    await page.reload()
    await expectLocked(page)
    await open()
    await expect(unlockDialog(page).getByLabel('Passphrase', { exact: true })).toBeFocused()
    await page.keyboard.insertText(PASSPHRASE)
    await page.keyboard.press('Enter')
    await expectUnlocked(page)
    await expect(heading).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await expect(heading).toBeFocused()
    await expectUnlocked(page)
  }
  // Whoever thinks better of it is back at the button.
  await page.reload()
  const opener = page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true })
  await opener.click()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})

test('a new recovery code takes the place of the old one', async ({ page }) => {
  const { recoveryCode: old = '' } = await makeVault(page, { recoveryCode: true })
  await visit(page, 'Identity', 'Unlock')
  const form = card(page, 'The recovery code')
  await form.getByRole('button', { name: 'Make a new one' }).click()
  await prove(page, 'Show the code', 'not the passphrase at all')
  await expect(page.getByRole('dialog').getByText('This passphrase does not open it.')).toBeVisible()
  await prove(page, 'Show the code')
  const fresh = (await form.getByLabel('Recovery code', { exact: true }).textContent()) ?? ''
  expect(fresh).not.toBe(old)
  await form.getByLabel('Type or paste it back').fill(fresh)
  await form.getByRole('button', { name: 'I have kept it' }).click()
  await expect(form.getByText('The recovery code is kept.')).toBeVisible()

  await page.reload()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  await unlockDialog(page).getByRole('button', { name: 'Use the recovery code instead' }).click()
  await byRecoveryCode(page, old)
  await expect(unlockDialog(page).getByRole('alert')).toContainText('This recovery code does not open it.')
  await byRecoveryCode(page, fresh)
  await expectUnlocked(page)
})

test('a passkey is not left alone, nor is a recovery code', async ({ page }) => {
  await addAuthenticator(page)
  await makeVault(page, { opening: 'Both' })
  await visit(page, 'Identity', 'Unlock')
  const ways = card(page, 'Ways to unlock')
  await ways.getByRole('button', { name: 'Remove Passphrase' }).click()
  await expect(ways.getByText(/A single passkey would be left/)).toBeVisible()

  await card(page, 'Make a recovery code').getByRole('button', { name: 'Make a recovery code' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Show the code' }).click()
  const form = card(page, 'The recovery code')
  const code = (await form.getByLabel('Recovery code', { exact: true }).textContent()) ?? ''
  await form.getByLabel('Type or paste it back').fill(code)
  await form.getByRole('button', { name: 'I have kept it' }).click()

  // Now it may go: a passkey and a code are left.
  await expect(ways.getByRole('listitem')).toHaveCount(3)
  await ways.getByRole('button', { name: 'Remove Passphrase' }).click()
  await page
    .getByRole('dialog', { name: /^Remove/ })
    .getByRole('button', { name: 'Remove it' })
    .click()
  await expect(ways.getByRole('listitem')).toHaveCount(2)
  await ways.getByRole('button', { name: 'Remove Passkey' }).click()
  await expect(ways.getByText(/A recovery code alone is not enough/)).toBeVisible()
  await ways.getByRole('button', { name: 'Remove Recovery code' }).click()
  await expect(ways.getByText(/A single passkey would be left/)).toBeVisible()
})

test('after failed tries the next one has to wait, across a reload', async ({ page }) => {
  await makeVault(page)
  // From here on the clock stands still until it is set.
  const start = Date.now()
  await page.clock.setFixedTime(start)
  await page.reload()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  const field = () => unlockDialog(page).getByLabel('Passphrase', { exact: true })
  for (const wrong of ['wrong the first time', 'wrong the second time', 'wrong the third time']) {
    await field().fill(wrong)
    await field().press('Enter')
    await expect(unlockDialog(page).getByText('This passphrase does not open it.')).toBeVisible()
    // It can be typed over at once.
    await expect(field()).toBeFocused()
  }
  await field().fill(PASSPHRASE)
  await field().press('Enter')
  await expect(unlockDialog(page).getByText('Too many tries in a row.')).toBeVisible()
  await expect(unlockDialog(page).getByText('The next one can be made in 1 second.')).toBeVisible()
  await expect(unlockDialog(page).getByRole('button', { name: 'Unlock', exact: true })).toBeDisabled()

  await page.reload()
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  await field().fill(PASSPHRASE)
  await field().press('Enter')
  await expect(unlockDialog(page).getByText('Too many tries in a row.')).toBeVisible()

  await page.clock.setFixedTime(start + 1_100)
  await expect(unlockDialog(page).getByText('Too many tries in a row.')).toBeHidden()
  await unlockDialog(page).getByRole('button', { name: 'Unlock', exact: true }).click()
  await expectUnlocked(page)
})

const MINUTE = 60_000

/**
 * From here on time passes only where a test says so, in every tab: what a slow machine takes is not counted. Someone is
 * there at that moment.
 */
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
  await page.keyboard.press('Shift')
}

const warning = (page: Page) => page.getByRole('alertdialog', { name: 'The vault is about to lock' })

/** While the time stands still, the little that the page itself waits with, to draw, is let through step by step. */
async function expectWarning(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(warning(page)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
}

test('it warns before it locks, stays when asked to, and locks in both tabs', async ({
  page,
  context,
  guard,
}) => {
  await context.clock.install()
  await makeVault(page)
  const second = await context.newPage()
  await guard.watch(second)
  await second.goto('/')
  await expectUnlocked(second)

  await stopClock(page)
  await context.clock.fastForward(15 * MINUTE - 15_000)
  await expectWarning(page)
  await expectWarning(second)
  await warning(page).getByRole('button', { name: 'Stay unlocked' }).click()
  await expect(warning(page)).toBeHidden()
  await expect(warning(second)).toBeHidden()

  await context.clock.fastForward(15 * MINUTE - 60_000)
  await expectUnlocked(page)
  await expect(warning(page)).toBeHidden()
  await context.clock.fastForward(45_000)
  await expectWarning(second)
  // A key pressed during the warning is enough to stay.
  await second.keyboard.press('Shift')
  await expect(warning(second)).toBeHidden()
  await expect(warning(page)).toBeHidden()
  await expectUnlocked(second)

  await context.clock.fastForward(15 * MINUTE - 15_000)
  await expectWarning(second)
  await context.clock.fastForward(30_000)
  await expectLocked(page)
  await expectLocked(second)
  await expect(warning(page)).toBeHidden()
  await context.clock.resume()
  await unlock(page)
  await expectUnlocked(second)
})

test('a machine that slept past the time finds it locked when it wakes', async ({ page }) => {
  await page.clock.install()
  await makeVault(page)
  await expectUnlocked(page)
  // Asleep no timer runs; the wall clock goes on.
  await page.clock.setSystemTime(Date.now() + 60 * MINUTE)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expectLocked(page)
})

test('how long it waits can be set, and is kept', async ({ page }) => {
  await page.clock.install()
  await makeVault(page)
  await visit(page, 'Identity', 'Unlock')
  const settings = card(page, 'Lock by itself')
  const choose = async (words: string) => {
    await settings.getByLabel('Lock').click()
    await page.getByRole('option', { name: words }).click()
    await expect(settings.getByLabel('Lock')).toContainText(words)
  }
  await choose('After 1 minute')
  await page.reload()
  await unlock(page)
  await visit(page, 'Identity', 'Unlock')
  await expect(settings.getByLabel('Lock')).toContainText('After 1 minute')
  await stopClock(page)
  await page.clock.fastForward(50_000)
  await expectWarning(page)
  await page.clock.fastForward(15_000)
  await expectLocked(page)

  await page.clock.resume()
  await unlock(page)
  await choose('Never')
  await page.clock.fastForward(24 * 60 * MINUTE)
  await page.clock.runFor(1_000)
  await expectUnlocked(page)
})

test('a lock drops what was read while it was open, from the memory of the page too', async ({
  page,
  context,
  guard,
}) => {
  await makeVault(page)
  const reader = await context.newPage()
  await guard.watch(reader)
  await reader.goto('/search')
  // Typed in the other page alone, and never looked for here: what is found in this one's memory was read from the vault.
  const label = 'Holiday mails'
  await grant(page, { to: STRANGER, command: '/msg/send', label })
  await reader.getByRole('combobox', { name: 'Search the vault' }).fill('kind:grant send')
  await expect(reader.getByRole('option')).toHaveCount(1)
  // A match may be shown before its label has been opened.
  await expect.poll(() => heapHolds(reader, label), { timeout: 120_000 }).toBe(true)
  const worker = reader.workers().find((worker) => worker.url().includes('token-worker'))
  expect(worker).toBeDefined()
  const ended = worker?.waitForEvent('close')

  await page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true }).click()
  await expectLocked(reader)
  // The worker is gone with all that it knew, and the page has drawn anew what it shows.
  await ended
  await expect(reader.getByText('The vault is locked.')).toBeVisible()
  await expect(reader.getByRole('option')).toHaveCount(1)
  await expect.poll(() => heapHolds(reader, label), { timeout: 120_000 }).toBe(false)
})
