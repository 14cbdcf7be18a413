import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import {
  card,
  expectLocked,
  expectUnlocked,
  grant,
  makeVault,
  openTab,
  PASSPHRASE,
  STRANGER,
  visit,
} from '../support/person.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Find or do something' })
const box = (page: Page) => page.getByRole('combobox', { name: 'Find or do something' })
/** The page, or what in it has the focus: its heading, mostly. */
const focusInPage = (page: Page) => page.locator('#page:focus, #page :focus')

test('what was found is open three keys after the query, from anywhere', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await grant(page, { to: STRANGER, command: '/crud/read', label: 'Photo backup' })
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  for (const from of ['Demo', 'Payments', 'Home'] as const) {
    await visit(page, from)
    await page.keyboard.press('Control+k')
    await expect(box(page)).toBeFocused()
    await page.keyboard.type('holiday')
    keys = 0
    await press('Enter')
    await expect(palette(page)).toHaveCount(0)
    const list = card(page, 'Granted so far')
    await expect(list.getByRole('button', { name: 'Hide details' })).toBeVisible()
    await expect(list.getByRole('listitem').filter({ hasText: 'Holiday mails' })).toContainText('/msg/send')
    expect(keys).toBeLessThanOrEqual(3)
    await expect(focusInPage(page)).toHaveCount(1)
  }

  // Words that name a tab, too: what the vault holds is still never further than that.
  await visit(page, 'Home')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('backup')
  const photo = palette(page).getByRole('option', { name: 'Photo backup' })
  await expect(photo).toBeVisible()
  await expect(palette(page).getByRole('status')).toContainText(/lines fit/)
  keys = 0
  while ((await photo.getAttribute('aria-selected')) !== 'true') await press('ArrowDown')
  await press('Enter')
  await expect(card(page, 'Granted so far').getByRole('button', { name: 'Hide details' })).toBeVisible()
  expect(keys).toBeLessThanOrEqual(3)

  // What was used last stands first.
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('option').first()).toContainText('Photo backup')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
})

test('what is typed while the palette opens is in its box alone', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Identity', 'Grants')
  const field = page.getByLabel('To whom')
  for (const place of [field, page.locator('#page')]) {
    await place.focus()
    // All of it before anything is drawn, though not at once. Elsewhere g and p lead to the payments.
    await page.evaluate(async () => {
      const how = { bubbles: true, cancelable: true }
      const keys = [{ key: 'k', code: 'KeyK', ctrlKey: true }, ...[...'gp hol'].map((key) => ({ key }))]
      for (const key of keys) {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...how, ...key }))
        await null
      }
    })
    await page.keyboard.type('iday')
    await expect(box(page)).toHaveValue('gp holiday')
    await page.keyboard.press('Escape')
    await expect(palette(page)).toHaveCount(0)
    await expect(field).toHaveValue('')
    await expect(page).toHaveURL(/tab=grants/)
  }
})

test('what is pasted is known for what it is', async ({ page }) => {
  await makeVault(page)
  const token = await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await visit(page, 'Home')
  await page.keyboard.press('Control+k')
  await box(page).fill(STRANGER)
  await expect(palette(page).getByRole('option', { name: /^Holiday mails.*grant$/ })).toBeVisible()
  await palette(page).getByRole('option', { name: 'Grant something to this DID' }).click()
  // Signed a moment ago, and on screen: the form comes back for what is new.
  await expect(page.getByLabel('To whom')).toHaveValue(STRANGER)
  await expect(page.getByLabel('To whom')).toBeFocused()

  await page.keyboard.press('Control+k')
  await box(page).fill(`${token.slice(0, 60)}A${token.slice(61)}`)
  await expect(palette(page).getByRole('option', { name: 'Check this token' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Check a token' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByLabel('Token', { exact: true })).not.toHaveValue('')
})

test('the palette locks, unlocks, goes and changes the look, and gives the focus back', async ({ page }) => {
  await makeVault(page)
  const opener = page.getByRole('banner').getByRole('button', { name: 'Find or do something' })
  await opener.click()
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()

  const run = async (query: string) => {
    await page.keyboard.press('Control+k')
    await expect(box(page)).toBeFocused()
    await page.keyboard.type(query)
    await page.keyboard.press('Enter')
    await expect(palette(page)).toHaveCount(0)
  }
  await run('dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(opener).toBeFocused()
  await run('activity')
  await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
  await run('lock the')
  await expectLocked(page)
  await run('unlock')
  const dialog = page.getByRole('dialog', { name: 'Unlock the vault' })
  // Once the palette has gone: it gives the focus back to nothing behind the dialog.
  await expect(dialog.getByLabel('Passphrase', { exact: true })).toBeFocused()
  await page.keyboard.type(PASSPHRASE)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expectUnlocked(page)
  await run('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(focusInPage(page)).toHaveCount(1)
})

test('letters are shortcuts outside of fields, are listed, and can be turned off', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Home')
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/payment$/)
  await openTab(page, 'New mandate')
  await page.getByLabel('To whom').click()
  await page.keyboard.type('gh/?')
  await expect(page.getByLabel('To whom')).toHaveValue('gh/?')
  await expect(page).toHaveURL(/\/payment\?tab=new$/)
  await page.locator('#page').focus()
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
  await expect(box(page)).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/tab=grants/)
  await expect(page.getByLabel('To whom')).toBeFocused()

  await page.locator('#page').focus()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list).toContainText('Ctrl+K')
  await list.getByRole('checkbox', { name: /^Keys without a modifier/ }).uncheck()
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await page.reload()
  await expectLocked(page)
  await page.keyboard.press('?')
  await page.keyboard.press('/')
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test('a form that is asked for comes back, with the focus in it', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send' })
  await expect(card(page, 'Signed and stored')).toBeVisible()
  await page.getByRole('heading', { name: 'Identity', exact: true }).click()
  await page.keyboard.press('n')
  await expect(page.getByLabel('To whom')).toBeFocused()

  // What is not filled in is led to.
  await page.getByRole('button', { name: 'Sign the grant' }).click()
  await expect(page.getByLabel('To whom')).toBeFocused()
  await page.getByLabel('To whom').fill(STRANGER)
  await page.getByRole('button', { name: 'Sign the grant' }).click()
  await expect(page.getByLabel('May do what')).toBeFocused()

  await visit(page, 'Home')
  await page.keyboard.press('t')
  await expect(page.getByLabel('Token', { exact: true })).toBeFocused()
})
