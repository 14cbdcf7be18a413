import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { grant, makeVault, openTab, STRANGER } from '../support/person.ts'
import { giveMandate } from '../support/spending.ts'

interface Watcher extends EventTarget {
  requestClose(): void
  destroy(): void
}

declare global {
  interface Window {
    CloseWatcher: new () => Watcher
    watchers: Watcher[]
  }
}

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

/** Expects the message about the signature to be below the header, not scrolled off the top. */
async function expectSaid(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { name: 'Signed and stored' })
  const header = await page.getByRole('banner').boundingBox()
  const bottom = (header?.y ?? 0) + (header?.height ?? 0)
  await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(bottom)
  await expect(heading).toBeInViewport({ ratio: 1 })
}

test('a phone shows what was signed, and doesn’t offer to undo it after a later action', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send' })
  await expectSaid(page)

  await giveMandate(page, 'An agent for a day', {
    Who: STRANGER,
    'Paid to': 'https://shop.example',
    'Maximum per payment': '20',
    Total: '30',
  })
  await expectSaid(page)

  await openTab(page, 'Mandates')
  const item = page.getByRole('article')
  await item.getByRole('button', { name: 'Suspend' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await item.getByRole('button', { name: 'Revoke…' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(item.getByText('revoked')).toBeVisible()
  await expect(undo).toHaveCount(0)
})

/** Presses the system's Back button as the browser reports it: to what was opened last. */
async function pressBack(page: Page): Promise<void> {
  await page.evaluate(() => window.watchers.at(-1)?.requestClose())
}

test.describe('on Android', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  })

  test('Back closes what is open and stays on the page', async ({ page }) => {
    // Record the real ones as they are created: tests have no other way to ask them to close.
    await page.addInitScript(() => {
      window.watchers = []
      window.CloseWatcher = class extends window.CloseWatcher {
        constructor() {
          super()
          window.watchers.push(this)
        }
        // A closed one too: its owner destroys it then.
        override destroy() {
          super.destroy()
          window.watchers = window.watchers.filter((watcher) => watcher !== this)
        }
      }
    })
    await makeVault(page)
    await giveMandate(page, 'An agent for a day', { Who: STRANGER, 'Paid to': 'https://shop.example' })
    await openTab(page, 'Mandates')
    const { href } = new URL(page.url())

    await page.getByRole('button', { name: 'Find or do something' }).click()
    const palette = page.getByRole('dialog', { name: 'Find or do something' })
    await expect(palette).toBeVisible()
    await pressBack(page)
    await expect(palette).toHaveCount(0)

    // Every time it opens.
    for (const time of ['first', 'second']) {
      await page.getByRole('article').getByRole('button', { name: 'Revoke…' }).click()
      const asked = page.getByRole('alertdialog')
      await expect(asked, time).toBeVisible()
      await pressBack(page)
      await expect(asked, time).toHaveCount(0)
    }
    await expect(page.getByText('revoked')).toHaveCount(0)
    expect(await page.evaluate(() => window.watchers)).toEqual([])
    expect(page.url()).toBe(href)
  })
})
