import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { putTokens } from '../../lasting/many-tokens.js'
import { card, grant, makeVault, STRANGER, visit } from '../support/person.ts'

const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search the vault' })

test('what is stored is found as one types, narrowed by filters that stand in the address, and opened by keyboard', async ({
  page,
}) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await grant(page, { to: STRANGER, command: '/crud/read', label: 'Photo backup' })
  await visit(page, 'Search')
  const box = searchBox(page)
  await expect(box).toBeFocused()
  const matches = page.getByRole('option')
  await expect(page.getByText(/^4 matches/)).toBeVisible()
  await box.fill('holi')
  await expect(matches.locator('mark')).toHaveText(['Holi'])
  await expect(page).toHaveURL(/q=holi/)

  // A filter writes into the query, and the query into the filters.
  await page.getByLabel('Kind').click()
  await page.getByRole('option', { name: 'Key', exact: true }).click()
  await expect(box).toHaveValue('holi kind:key')
  await expect(page.getByText('Nothing fits')).toBeVisible()
  await box.fill('kind:grant cmd:/crud')
  await expect(page.getByLabel('Kind')).toContainText('Grant')
  await expect(page.getByText(/^One match/)).toBeVisible()
  await expect(page).toHaveURL(/cmd/)
  await page.reload()
  await expect(box).toHaveValue('kind:grant cmd:/crud')
  await expect(page.getByText(/^One match/)).toBeVisible()
  await expect(page.getByLabel('Command')).toHaveValue('/crud')
  await box.fill('kind:door colour:red')
  await expect(page.getByText('There is no such kind.')).toBeVisible()
  await expect(page.getByText('“colour” is no filter.')).toBeVisible()

  await box.fill('kind:grant')
  await expect(page.getByText(/^2 matches/)).toBeVisible()
  await box.press('ArrowDown')
  await expect(matches.nth(1)).toHaveAttribute('aria-selected', 'true')
  await box.fill('/crud kind:grant')
  await expect(page.getByText(/^One match/)).toBeVisible()
  await box.press('Enter')
  await expect(card(page, 'Granted so far').getByRole('button', { name: 'Hide details' })).toBeVisible()
})

test('Enter opens what is found for what was typed, however quickly it follows', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await grant(page, { to: STRANGER, command: '/crud/read', label: 'Photo backup' })
  await visit(page, 'Search')
  await expect(page.getByText(/^4 matches/)).toBeVisible()
  await searchBox(page).focus()
  // In one go: no answer comes in between.
  await searchBox(page).evaluate((box: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, 'holiday kind:grant')
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
  const granted = card(page, 'Granted so far')
  await expect(granted.getByRole('button', { name: 'Hide details' })).toBeVisible()
  await expect(granted.getByText('Holiday mails').first()).toBeVisible()
})

test('of very many matches and grants each can be reached', async ({ page }) => {
  const { address } = await makeVault(page)
  await putTokens(page, address, 2_500)
  await page.goto('/search')
  await expect(page.getByText(/^2,50\d matches/)).toBeVisible()
  const matches = page.getByRole('listbox', { name: 'Matches' })
  const [, count = ''] = (await page.getByText(/^2,50\d matches/).textContent())?.match(/^([\d,]+)/) ?? []
  const last = matches.locator(`[aria-posinset="${count.replace(',', '')}"]`)
  await expect(async () => {
    await matches.evaluate((list) => list.parentElement?.scrollTo(0, list.scrollHeight))
    await expect(last).toBeAttached({ timeout: 500 })
  }).toPass()
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
  await expect(last).toHaveAttribute('aria-busy', 'false')
  await expect(last).not.toHaveText('')

  await page.goto('/identity?tab=grants')
  await expect(page.getByText(/^2,250 grants/)).toBeVisible()
  const end = page.locator('[aria-posinset="2250"]')
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(end).toBeInViewport({ timeout: 500 })
  }).toPass()
  await expect(end).toHaveAttribute('aria-busy', 'false')
})

test('what is pasted is known for what it is, and a token goes to where it is checked', async ({ page }) => {
  await makeVault(page)
  const token = await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await visit(page, 'Search')
  const box = searchBox(page)
  await box.fill('holiday')
  await expect(page).toHaveURL(/q=holiday/)
  await box.fill(token)
  await expect(page.getByText('This is a token.')).toBeVisible()
  // The address has followed, and says nothing of it.
  await expect(page).toHaveURL(/\/search$/)
  await expect(page.getByText(/^One match/)).toBeVisible()
  await page.getByRole('link', { name: 'Check the token' }).click()
  await expect(page.getByText('It holds.', { exact: true })).toBeVisible()

  await visit(page, 'Search')
  await box.fill(`${token.slice(0, 60)}A${token.slice(61)}`)
  await expect(page.getByText(/^0 matches/)).toBeVisible()
  await box.press('Enter')
  await expect(page.getByRole('tab', { name: 'Check a token' })).toHaveAttribute('aria-selected', 'true')

  await visit(page, 'Search')
  await box.fill(STRANGER)
  await expect(page.getByText('This is a DID.')).toBeVisible()
  await expect(page.getByText(/^One match/)).toBeVisible()
  await page.getByRole('link', { name: 'Grant it something' }).click()
  await expect(page.getByLabel('To whom')).toHaveValue(STRANGER)
})

test('what another tab grants is found here, and without a Worker it still works and says so', async ({
  page,
  context,
  guard,
}) => {
  await makeVault(page)
  const reader = await context.newPage()
  await guard.watch(reader)
  // The one Worker that reads tokens cannot be had; the enclave's is shared.
  await reader.addInitScript(() => {
    const Real = window.Worker
    Reflect.set(
      window,
      'Worker',
      class extends Real {
        constructor(url: string | URL, options?: WorkerOptions) {
          if (options?.name === 'tokens') throw new Error('no Worker today')
          super(url, options)
        }
      },
    )
  })
  await reader.goto('/search?q=holi')
  await expect(reader.getByText('This browser could not start its helper for long lists.')).toBeVisible()
  await expect(reader.getByText('Nothing fits')).toBeVisible()
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await expect(reader.getByRole('option').locator('mark')).toHaveText(['Holi'])
})
