import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { addContact, grant, makeVault, openTab, STRANGER, visit } from '../support/person.ts'
import { giveMandate } from '../support/spending.ts'

/** As much of a DID as a list shows. */
const BEGINNING = STRANGER.slice(0, 16)

/** The lines of a page, as they are read, that have the contact's DID in them. */
async function linesWithDid(page: Page): Promise<string[]> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const text = await page.getByRole('main').innerText()
  return text.split('\n').filter((line) => line.includes(BEGINNING))
}

test('no page shows the DID of someone who has a name', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Grants', 'Contacts')
  // Her own page is where the DID is one press away.
  await addContact(page, 'Anna Berger', STRANGER)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  const found: Record<string, string[]> = { 'what was signed': await linesWithDid(page) }
  await giveMandate(page, 'An agent for a day', { Who: STRANGER, 'Paid to': 'https://shop.example' })
  found['the mandate that was signed'] = await linesWithDid(page)

  for (const [place, part] of [
    ['Home', undefined],
    ['Grants', undefined],
    ['Grants', 'Contacts'],
    ['Grants', 'Requests'],
    ['Payments', 'Mandates'],
    ['Payments', 'History'],
    ['Activity', undefined],
  ] as const) {
    await visit(page, 'Home')
    await visit(page, place, part)
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    found[`${place} ${part ?? ''}`] = await linesWithDid(page)
  }
  await visit(page, 'Grants')
  await page.getByRole('article', { name: 'Holiday mails' }).getByRole('link', { name: 'Details' }).click()
  await expect(page.getByText('Anna Berger').first()).toBeVisible()
  found['the grant'] = await linesWithDid(page)
  await openTab(page, 'Contacts')
  await expect(page.getByText('Anna Berger').first()).toBeVisible()
  found['the contacts'] = await linesWithDid(page)

  expect(Object.entries(found).filter(([, lines]) => lines.length > 0)).toEqual([])
  console.log(`DIDs before names: 0 on ${Object.keys(found).length} pages.`)
})
