import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { grant, makeVault, openTab, STRANGER } from './person.ts'
import { giveMandate } from './spending.ts'

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

/** That something was signed is said below the header, not above the screen. */
async function expectSaid(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { name: 'Signed and stored' })
  const header = await page.getByRole('banner').boundingBox()
  const bottom = (header?.y ?? 0) + (header?.height ?? 0)
  await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(bottom)
  await expect(heading).toBeInViewport({ ratio: 1 })
}

test('on a phone what was signed is said in sight, and what another act has overtaken is not taken back', async ({
  page,
}) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send' })
  await expectSaid(page)

  await giveMandate(page, 'An agent for a day', {
    'To whom': STRANGER,
    'Paid to': 'https://shop.example',
    'At most, for one payment': '20',
    'In all': '30',
  })
  await expectSaid(page)

  await openTab(page, 'Mandates')
  const item = page.getByRole('article')
  await item.getByRole('button', { name: 'Suspend' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await item.getByRole('button', { name: 'End…' }).click()
  // As a phone's keyboard types it.
  await page.getByRole('alertdialog').getByRole('textbox').fill('End ')
  await page.getByRole('button', { name: 'End it for good' }).click()
  await expect(item.getByText('ended by you')).toBeVisible()
  await expect(undo).toHaveCount(0)
})
