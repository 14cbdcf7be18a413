import type { Page } from '@playwright/test'
import { expectAccessible } from '../../axe-rules.ts'
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
/** The page or the element in it that has the focus, usually its heading. */
const focusInPage = (page: Page) => page.locator('#page:focus, #page :focus')

test('what was found opens three keys after the query, from anywhere', async ({ page }) => {
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
    await expect(page.getByRole('article', { name: 'Holiday mails' })).toContainText('/msg/send')
    expect(keys).toBeLessThanOrEqual(3)
    await expect(focusInPage(page)).toHaveCount(1)
  }

  // The words also name a tab, but vault entries are still no more than three keys away.
  await visit(page, 'Home')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('backup')
  const photo = palette(page).getByRole('option', { name: /^Photo backup/ })
  await expect(photo).toBeVisible()
  await expect(palette(page).getByRole('status')).toContainText(/results/)
  keys = 0
  while ((await photo.getAttribute('aria-selected')) !== 'true') await press('ArrowDown')
  await press('Enter')
  await expect(page.getByRole('article', { name: 'Photo backup' })).toBeVisible()
  expect(keys).toBeLessThanOrEqual(3)

  // The last used entry comes first.
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('option').first()).toContainText('Photo backup')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
})

test('what is typed while the palette opens ends up only in its box', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Grants')
  const field = page.getByLabel('Who', { exact: true })
  for (const place of [field, page.locator('#page')]) {
    await place.focus()
    // Type everything before anything is drawn, but not all at once. Outside the palette, g and p lead to the payments.
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

test('pasted text is recognised', async ({ page }) => {
  await makeVault(page)
  const token = await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await visit(page, 'Home')
  await page.keyboard.press('Control+k')
  await box(page).fill(STRANGER)
  await expect(palette(page).getByRole('option', { name: /^Holiday mails.*grant$/ })).toBeVisible()
  await palette(page).getByRole('option', { name: 'New grant for this DID' }).click()
  // Signed a moment ago and still on screen: pasting brings the form back.
  await expect(page.getByLabel('Who', { exact: true })).toHaveValue(STRANGER)
  await expect(page.getByLabel('Who', { exact: true })).toBeFocused()

  await page.keyboard.press('Control+k')
  await box(page).fill(`${token.slice(0, 60)}A${token.slice(61)}`)
  await expect(palette(page).getByRole('option', { name: 'Check this token' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Check a token' })).toBeVisible()
  await expect(page.getByLabel('Token', { exact: true })).not.toHaveValue('')
})

test('the palette locks, unlocks, navigates, changes the theme, and returns the focus', async ({ page }) => {
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
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await run('lock the')
  await expectLocked(page)
  await run('unlock')
  const dialog = page.getByRole('dialog', { name: 'Unlock the vault' })
  // Wait until the palette has closed. It must not move the focus behind the dialog.
  await expect(dialog.getByLabel('Passphrase', { exact: true })).toBeFocused()
  await page.keyboard.type(PASSPHRASE)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expectUnlocked(page)
  await run('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(focusInPage(page)).toHaveCount(1)
})

test('letters are shortcuts outside fields, are listed, and can be turned off', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Home')
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/payment$/)
  await openTab(page, 'New mandate')
  await page.getByLabel('Who', { exact: true }).click()
  await page.keyboard.type('gh/?')
  await expect(page.getByLabel('Who', { exact: true })).toHaveValue('gh/?')
  await expect(page).toHaveURL(/\/payment\?tab=new$/)
  await page.locator('#page').focus()
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
  await expect(box(page)).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/tab=grants/)
  await expect(page.getByLabel('Who', { exact: true })).toBeFocused()

  await page.locator('#page').focus()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list).toContainText('Ctrl+K')
  await list.getByRole('checkbox', { name: /^Single-key shortcuts/ }).uncheck()
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

test('asking for a form brings it back with the focus in it', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send' })
  await expect(card(page, 'Signed and stored')).toBeVisible()
  await page.getByRole('heading', { name: 'Grants', exact: true }).click()
  await page.keyboard.press('n')
  await expect(page.getByLabel('Who', { exact: true })).toBeFocused()

  // The focus goes to the first empty field.
  await page.getByRole('button', { name: 'Sign the grant' }).click()
  await expect(page.getByLabel('Who', { exact: true })).toBeFocused()
  await page.getByLabel('Who', { exact: true }).fill(STRANGER)
  await page.getByRole('button', { name: 'Sign the grant' }).click()
  await expect(page.getByLabel('What they can do')).toBeFocused()

  await visit(page, 'Home')
  await page.keyboard.press('t')
  await expect(page.getByLabel('Token', { exact: true })).toBeFocused()
})

test('help is in place: a term opens the glossary, and a question leads to the place that answers it', async ({
  page,
}) => {
  await makeVault(page)
  await visit(page, 'Grants')
  const term = page.getByRole('button', { name: 'What’s a grant?' })
  await term.focus()
  await page.keyboard.press('Enter')
  const meaning = page.getByRole('dialog', { name: 'Grant' })
  await expect(meaning).toContainText('Lets someone do one thing for you')
  await expectAccessible(page)
  await meaning.getByText('Other words').click()
  await expect(meaning.getByText('Second copy', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(term).toBeFocused()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('how do i back up')
  await expect(palette(page).getByRole('group', { name: 'How do I…' }).getByRole('option')).toHaveCount(1)
  await palette(page).getByRole('option', { name: 'How do I back up my vault?' }).click()
  await expect(page).toHaveURL(/tab=backup/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('glossary')
  await palette(page)
    .getByRole('option', { name: /words mean/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Words in Keyhole' })).toContainText('Recovery code')
})
