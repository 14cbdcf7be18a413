import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { card, grant, makeVault, STRANGER, visit } from './person.ts'

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

test('what is pasted is known for what it is, and a token goes to where it is checked', async ({ page }) => {
  await makeVault(page)
  const token = await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await visit(page, 'Search')
  const box = searchBox(page)
  await box.fill(token)
  await expect(page.getByText('This is a token.')).toBeVisible()
  expect(page.url()).not.toContain(token.slice(0, 40))
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
