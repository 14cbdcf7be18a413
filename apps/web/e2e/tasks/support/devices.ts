// Devices of a vault, as a person adds them.
import type { Page } from '@playwright/test'
import { expect, type Guard } from '../../fixtures.ts'
import { prove, visit } from './person.ts'

/** The list of devices on their page. */
export const devicesOf = (page: Page) =>
  page.getByRole('list', { name: 'Your devices' }).getByRole('listitem')

/** Puts the open vault on several devices. */
export async function startDevices(page: Page, guard: Pick<Guard, 'allow'>, name: string): Promise<void> {
  // It asks first whether the relay keeps records, without saying who asks.
  guard.allow(/^Failed to load resource: the server responded with a status of 401 \(Unauthorized\)$/)
  await visit(page, 'Settings', 'Devices')
  await page.getByLabel('Name of this device').fill(name)
  await page.getByRole('button', { name: 'Use on several devices' }).click()
  await prove(page, 'Start')
  await expect(page.getByText('Your devices are in sync.')).toBeVisible()
  await expect(devicesOf(page)).toHaveCount(1)
}
