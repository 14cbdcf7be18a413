import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { AXE_RULES, lookWithAxe } from '../../axe-rules.ts'
import { expect, test } from '../../fixtures.ts'
import { pair, SIX } from '../../pair.js'
import { pressCounted } from '../../presses.js'
import { devicesOf, startDevices } from '../support/devices.ts'
import {
  another,
  card,
  expectLocked,
  expectUnlocked,
  grant,
  makeVault,
  prove,
  STRANGER,
  unlock,
  visit,
} from '../support/person.ts'

/** Each test is a client of its own for the relay, which lets one address do only so much. */
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright takes a pattern there
  extraHTTPHeaders: async ({}, use) => {
    await use({ 'x-forwarded-for': `192.0.2.${randomInt(256)}` })
  },
})

async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(await lookWithAxe(page, AXE_RULES), what).toEqual([])
}

test('a vault is put on a second device by a code and six digits; both have the same, and one removes the other', async ({
  page,
  browser,
  guard,
}) => {
  await makeVault(page, { name: 'Ada' })
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await visit(page, 'Settings', 'Devices')
  await expectAccessible(page, 'before it is on several devices')
  await visit(page, 'Home')
  await startDevices(page, guard, 'Laptop')
  await expect(devicesOf(page)).toContainText(['Laptop'])
  await expect(devicesOf(page)).toContainText(['This device'])
  await expectAccessible(page, 'the first device')

  const { page: phone, context } = await another(browser, guard)
  await phone.setViewportSize({ width: 360, height: 800 })
  await phone.goto('/register?tab=restore')
  await phone.getByRole('radio', { name: /^Another device/ }).check()
  await pair(page, phone)
  await expectAccessible(page, 'the digits on the old device')
  await expectAccessible(phone, 'the digits on the new device')

  // The other side first: it waits.
  await phone.getByRole('button', { name: 'They are the same' }).click()
  await expect(phone.getByText('Now confirm on the other device.')).toBeVisible()
  await page.getByLabel('Name of the new device').fill('Phone')
  await page.getByRole('button', { name: 'They are the same' }).click()
  await prove(page, 'Add the device')
  await expect(phone.getByText('Your vault is on this device now.')).toBeVisible()
  await expectUnlocked(phone)
  await expect(devicesOf(page)).toContainText(['Laptop', 'Phone'])
  await expectAccessible(page, 'two devices')

  await visit(phone, 'Grants')
  await expect(phone.getByText('Holiday mails').first()).toBeVisible()
  // What one does is on the other.
  await grant(phone, { to: STRANGER, command: '/msg/read', label: 'From the phone' })
  await visit(page, 'Grants')
  await expect(page.getByText('From the phone').first()).toBeVisible()

  // It opens as on the first one, also after a reload.
  await phone.goto('/identity?tab=devices')
  await expectLocked(phone)
  await unlock(phone)
  await expect(devicesOf(phone)).toContainText(['Laptop', 'Phone'])
  await expect(devicesOf(phone).filter({ hasText: 'This device' })).toContainText('Phone')

  await visit(page, 'Settings', 'Devices')
  await page.getByRole('button', { name: 'Rename Phone' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Blue phone')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await expect(devicesOf(page)).toContainText(['Laptop', 'Blue phone'])
  await expect(devicesOf(phone)).toContainText(['Laptop', 'Blue phone'])

  // The phone may hear of it before the laptop shows it.
  guard.allow(/^Failed to load resource: the server responded with a status of 403 \(Forbidden\)$/)
  await page.getByRole('button', { name: 'Remove Blue phone' }).click()
  await expect(page.getByRole('dialog', { name: 'Remove Blue phone?' })).toContainText(
    'Anyone who can unlock it can still sign with them',
  )
  await prove(page, 'Remove the device')
  await expect(devicesOf(page)).toHaveCount(1)
  await expect(phone.getByRole('alert')).toContainText('his device was removed.')
  await expectAccessible(phone, 'a removed device')
  // What was there stays there.
  await visit(phone, 'Grants')
  await expect(phone.getByText('Holiday mails').first()).toBeVisible()

  await visit(page, 'Activity')
  await expect(page.getByText('Added a device').first()).toBeVisible()
  await expect(page.getByText('Removed a device').first()).toBeVisible()
  await context.close()
})

test('a vault whose devices are lost is opened by its recovery code and this site alone', async ({
  page,
  browser,
  guard,
}) => {
  await makeVault(page, { name: 'Ada' })
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await startDevices(page, guard, 'Laptop')
  await expect(page.getByText(/With an older code, you also need a backup file/)).toBeVisible()
  await visit(page, 'Settings', 'Unlocking')
  await page.getByRole('button', { name: 'Create a new one' }).click()
  await prove(page, 'Show the code')
  const code = (await page.getByLabel('Recovery code', { exact: true }).textContent()) ?? ''
  await expect(page.getByText(/the code and this site are enough/)).toBeVisible()
  await page.getByLabel('Paste it back', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await visit(page, 'Settings', 'Devices')
  await expect(page.getByText(/open this vault in any browser\. Anyone who has the code/)).toBeVisible()
  // The code’s device is on paper, and in no list.
  await expect(devicesOf(page)).toHaveCount(1)
  await expectAccessible(page, 'a device and a code')
  await page.close()

  const { page: tablet, context } = await another(browser, guard)
  guard.allow(/^Failed to load resource: the server responded with a status of 401 \(Unauthorized\)$/)
  await tablet.setViewportSize({ width: 360, height: 800 })
  await tablet.goto('/register?tab=restore')
  await tablet.getByRole('radio', { name: /^A recovery code/ }).check()
  const form = card(tablet, 'With the code alone')
  await form.getByLabel('Recovery code', { exact: true }).fill('0000-0000-0000-0000-0000-0000-000')
  await form.getByRole('button', { name: 'Open the vault' }).click()
  await expect(form.getByRole('alert')).toContainText('The relay has nothing for this recovery code.')
  await expectAccessible(tablet, 'a code that opens nothing')
  await form.getByLabel('Recovery code', { exact: true }).fill(code.toLowerCase().replaceAll('-', ' '))
  await form.getByRole('button', { name: 'Open the vault' }).click()
  await expect(tablet.getByText('Your vault is on this device now.')).toBeVisible()
  await expectUnlocked(tablet)
  await expectAccessible(tablet, 'a vault that was opened by its code')
  await tablet.getByRole('link', { name: 'See your devices' }).click()
  await expect(devicesOf(tablet)).toContainText(['Laptop', 'This device'])
  await visit(tablet, 'Grants')
  await expect(tablet.getByText('Holiday mails').first()).toBeVisible()
  // It opens as on the device that was lost, also after a reload.
  await tablet.goto('/identity?tab=devices')
  await expectLocked(tablet)
  await unlock(tablet)
  await tablet.getByRole('button', { name: 'Remove Laptop' }).click()
  await prove(tablet, 'Remove the device')
  await expect(devicesOf(tablet)).toHaveCount(1)
  await visit(tablet, 'Activity')
  await expect(
    tablet.getByText('Opened the vault with its recovery code on a new device').first(),
  ).toBeVisible()
  await context.close()
})

test('a limited device keeps its own key, does what it was granted, and says when it was removed', async ({
  page,
  browser,
  guard,
}) => {
  await makeVault(page, { name: 'Ada' })
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await startDevices(page, guard, 'Laptop')

  const { page: kiosk, context } = await another(browser, guard)
  await kiosk.setViewportSize({ width: 360, height: 800 })
  const { did } = await makeVault(kiosk, { name: 'Kitchen' })
  guard.allow(/^Failed to load resource: the server responded with a status of 401 \(Unauthorized\)$/)
  await visit(kiosk, 'Settings', 'Devices')
  await expectAccessible(kiosk, 'before it is a limited device')
  await kiosk.getByRole('button', { name: 'Show a code for a limited device' }).click()
  await prove(kiosk, 'Show the code')
  await expect(kiosk.getByLabel('The code of this device', { exact: true })).toBeVisible()
  await expectAccessible(kiosk, 'the code of a limited device')
  // What a camera reads.
  await kiosk.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await kiosk.getByRole('button', { name: /^Copy/ }).first().click()
  const text = await kiosk.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain(did)

  await page.getByRole('button', { name: 'Add a device' }).click()
  await page.getByRole('radio', { name: /^Limited/ }).check()
  await expect(page.getByText('Show a code for a limited device')).toBeVisible()
  await expectAccessible(page, 'the two kinds of devices')
  await page.getByRole('radio', { name: /^Full/ }).check()
  // What was scanned says that it is a limited one.
  await page.getByLabel('The new device’s code', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
  const [there, here] = await Promise.all([
    page.getByText(SIX).textContent(),
    kiosk.getByText(SIX).textContent(),
  ])
  expect(there).toBe(here)
  await kiosk.getByRole('button', { name: 'They are the same' }).click()
  await page.getByLabel('Name of the new device').fill('Kitchen tablet')
  await page.getByRole('button', { name: 'They are the same' }).click()
  await expect(page.getByRole('dialog', { name: 'Add this limited device?' })).toContainText(
    'gets none of your keys, grants or contacts',
  )
  await prove(page, 'Add the device')
  const item = devicesOf(page).filter({ hasText: 'Kitchen tablet' })
  await expect(item).toContainText('Limited')
  await expect(kiosk.getByText('This is a limited device of another vault.')).toBeVisible()
  await expect(kiosk.getByText('Nothing yet.', { exact: false })).toBeVisible()
  await expectAccessible(page, 'a limited device in the list')
  await expectAccessible(kiosk, 'a limited device')

  // Its key is a contact, and it does what that is granted.
  await visit(page, 'Grants', 'Contacts')
  await expect(page.getByText('Kitchen tablet').first()).toBeVisible()
  const token = await grant(page, { to: did, command: '/msg/read', label: 'For the kitchen' })
  await visit(kiosk, 'Grants', 'Received')
  await card(kiosk, 'Add a token').getByLabel('Token', { exact: true }).fill(token)
  await kiosk.getByRole('button', { name: 'Check and add' }).click()
  await expect(kiosk.getByRole('button', { name: 'Narrow and pass on' })).toBeVisible()
  await visit(kiosk, 'Settings', 'Devices')
  await expect(kiosk.getByText('It has 1 grant.')).toBeVisible()
  // Nothing of the other vault is here.
  await visit(kiosk, 'Grants')
  await expect(kiosk.getByText('Holiday mails')).toHaveCount(0)

  // Also after a reload.
  await kiosk.goto('/identity?tab=devices')
  await expectLocked(kiosk)
  await unlock(kiosk)
  await expect(kiosk.getByText('This is a limited device of another vault.')).toBeVisible()

  guard.allow(/^Failed to load resource: the server responded with a status of 403 \(Forbidden\)$/)
  await visit(page, 'Settings', 'Devices')
  await page.getByRole('button', { name: 'Remove Kitchen tablet' }).click()
  await expect(page.getByRole('dialog', { name: 'Remove Kitchen tablet?' })).toContainText(
    'It never had this vault’s keys.',
  )
  await prove(page, 'Remove the device')
  await expect(devicesOf(page)).toHaveCount(1)
  await kiosk.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(kiosk.getByText('This is no longer a limited device of the other vault.')).toBeVisible()

  // It is an ordinary vault again, with all that was its own, also after a reload.
  await kiosk.getByRole('button', { name: 'Stop being a limited device' }).click()
  const stop = kiosk.getByRole('alertdialog', { name: 'Stop being a limited device?' })
  await expect(stop).toContainText('keeps its keys, grants and contacts')
  await expectAccessible(kiosk, 'before it stops being a limited device')
  await pressCounted(stop.getByRole('button', { name: 'Stop being a limited device' }))
  await expect(kiosk.getByRole('button', { name: 'Use on several devices' })).toBeVisible()
  await kiosk.goto('/identity?tab=devices')
  await expectLocked(kiosk)
  await unlock(kiosk)
  await expect(kiosk.getByRole('button', { name: 'Use on several devices' })).toBeVisible()
  await visit(kiosk, 'Grants', 'Received')
  await expect(kiosk.getByRole('button', { name: 'Narrow and pass on' })).toBeVisible()
  await context.close()
})

test('a wrong code, and digits that differ, change nothing, and it can begin again', async ({
  page,
  browser,
  guard,
}) => {
  guard.allow(/^Failed to load resource: the server responded with a status of 400 \(Bad Request\)$/)
  await makeVault(page)
  await startDevices(page, guard, 'Laptop')
  await page.getByRole('button', { name: 'Add a device' }).click()
  const form = card(page, 'Add a device')
  await form.getByLabel('The new device’s code', { exact: true }).fill('not a code')
  await form.getByRole('button', { name: 'Continue' }).click()
  await expect(form.getByRole('alert')).toContainText('This isn’t the code of a new device.')
  await form.getByRole('button', { name: 'Stop' }).click()

  const { page: phone, context } = await another(browser, guard)
  await phone.goto('/register?tab=restore&from=device')
  await pair(page, phone)
  await phone.getByRole('button', { name: 'They differ' }).click()
  await page.getByRole('button', { name: 'They differ' }).click()
  await expect(devicesOf(page)).toHaveCount(1)
  // A code that is over.
  await phone.getByRole('button', { name: 'Show a code' }).click()
  const code = (await phone.getByLabel('The code of this device', { exact: true }).textContent()) ?? ''
  await phone.getByRole('button', { name: 'Stop' }).click()
  await expect(phone.getByRole('button', { name: 'Show a code' })).toBeVisible()
  await phone.getByRole('radio', { name: /^A recovery code/ }).check()
  // The last character checks the others, and may be one of five signs.
  expect(code).toMatch(/^[0-9A-Z-]{20,}[0-9A-Z*~$=]$/)
  await context.close()
})

test('a browser with one device loads nothing for several', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await makeVault(page)
  await visit(page, 'Grants')
  await visit(page, 'Settings', 'Unlocking')
  expect(asked.filter((path) => /devices/.test(path))).toEqual([])
  await visit(page, 'Home')
  await visit(page, 'Settings', 'Devices')
  await expect(page.getByRole('button', { name: 'Use on several devices' })).toBeVisible()
  expect(asked.filter((path) => path === '/enclave-devices.wasm')).toEqual([])
})
