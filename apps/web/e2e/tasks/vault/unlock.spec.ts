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
  STRANGER,
  unlock,
  unlockDialog,
  visit,
} from '../support/person.ts'

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

test('a passkey is not left alone, nor is a recovery code', async ({ page }) => {
  await addAuthenticator(page)
  await makeVault(page, { opening: 'Both' })
  await visit(page, 'Settings', 'Unlocking')
  const ways = card(page, 'Ways to unlock')
  await ways.getByRole('button', { name: 'Remove Recovery code' }).click()
  await page
    .getByRole('dialog', { name: /^Remove/ })
    .getByRole('button', { name: 'Remove it' })
    .click()
  await expect(ways.getByRole('listitem')).toHaveCount(2)
  await ways.getByRole('button', { name: 'Remove Passphrase' }).click()
  await expect(ways.getByText(/You’d have only one passkey/)).toBeVisible()

  await card(page, 'Create a recovery code').getByRole('button', { name: 'Create a recovery code' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Show the code' }).click()
  const form = card(page, 'The recovery code')
  const code = (await form.getByLabel('Recovery code', { exact: true }).textContent()) ?? ''
  await form.getByLabel('Paste it back').fill(code)
  await form.getByRole('button', { name: 'I’ve saved it' }).click()

  // Now it may go: a passkey and a code are left.
  await expect(ways.getByRole('listitem')).toHaveCount(3)
  await ways.getByRole('button', { name: 'Remove Passphrase' }).click()
  await page
    .getByRole('dialog', { name: /^Remove/ })
    .getByRole('button', { name: 'Remove it' })
    .click()
  await expect(ways.getByRole('listitem')).toHaveCount(2)
  await ways.getByRole('button', { name: 'Remove Passkey' }).click()
  await expect(ways.getByText(/A recovery code alone isn’t enough/)).toBeVisible()
  await ways.getByRole('button', { name: 'Remove Recovery code' }).click()
  await expect(ways.getByText(/You’d have only one passkey/)).toBeVisible()
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
  // A press by hand moves the pointer first, and that alone is enough to stay.
  await warning(page).getByRole('button', { name: 'Stay unlocked' }).dispatchEvent('click')
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
  await expect(reader.getByText('The vault is locked.', { exact: true })).toBeVisible()
  await expect(reader.getByRole('option')).toHaveCount(1)
  await expect.poll(() => heapHolds(reader, label), { timeout: 120_000 }).toBe(false)
})
