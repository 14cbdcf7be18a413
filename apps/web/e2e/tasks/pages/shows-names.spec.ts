import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import {
  addContact,
  another,
  card,
  grant,
  makeVault,
  openTab,
  STRANGER,
  tokenText,
  visit,
} from '../support/person.ts'
import { askFor, giveMandate, takeMandate } from '../support/spending.ts'

/** As much of a DID as a list shows. */
const SHOWN = 16

/** A shop with a name. */
const SHOP = 'did:web:shop.example'

/** The lines of a page or a part of it, as they are read, that have a contact's DID in them. */
async function linesWithDid(page: Page, part?: Locator, did = STRANGER): Promise<string[]> {
  if (part === undefined) await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const text = await (part ?? page.getByRole('main')).innerText()
  return text.split('\n').filter((line) => line.includes(did.slice(0, SHOWN)))
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
  await visit(page, 'Home')
  await expect(card(page, 'Last activity').getByText('Holiday mails · Anna Berger').first()).toBeVisible()
  await expect(card(page, 'Active grants').getByRole('button', { name: 'Anna Berger' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Graph', exact: true }).click()
  const holder = page.getByRole('list', { name: 'Who holds something of yours' }).getByRole('button')
  await expect(holder).toHaveCount(1)
  await holder.click()
  await expect(page.getByText('2 grants that you gave to')).toBeVisible()
  found['the graph'] = await linesWithDid(page)
  await visit(page, 'Search')
  await page.getByRole('combobox', { name: 'Search the vault' }).fill('holiday')
  await expect(page.getByText('Holiday mails').first()).toBeVisible()
  found.search = await linesWithDid(page)
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

test('a payment shows the names of who was paid and who asked for it', async ({ page, browser, guard }) => {
  const { page: agent, context } = await another(browser, guard)
  const { did } = await makeVault(agent, { name: 'Agent' })
  await makeVault(page)
  await visit(page, 'Grants', 'Contacts')
  await addContact(page, 'Shopping agent', did)
  await openTab(page, 'Given')
  await openTab(page, 'Contacts')
  await addContact(page, 'Corner shop', SHOP)
  await giveMandate(page, 'An agent for a day', { Who: did, 'Paid to': 'https://shop.example' })
  await takeMandate(agent, await tokenText(card(page, 'Signed and stored')))
  const request = await askFor(agent, '1200', 'A-17')
  await context.close()
  await visit(page, 'Check a token')
  await page.getByLabel('Token', { exact: true }).fill(request)
  const asked = card(page, 'What it asks for')
  await approve(asked.getByRole('button', { name: /^Countersign/ }))
  await expect(asked.getByText('Countersigned, counted and stored.')).toBeVisible()

  const dids = async (part?: Locator) => [
    ...(await linesWithDid(page, part, did)),
    ...(await linesWithDid(page, part, SHOP)),
  ]
  const found: Record<string, string[]> = {}
  await visit(page, 'Home')
  await expect(card(page, 'Last activity').getByText('Corner shop (shop.example)')).toBeVisible()
  found.Home = await dids()
  await visit(page, 'Activity')
  await expect(page.getByRole('link', { name: 'Corner shop (shop.example)' })).toBeVisible()
  found.Activity = await dids()
  await visit(page, 'Payments', 'History')
  await page
    .getByRole('article', { name: 'Corner shop (shop.example)' })
    .getByRole('link', { name: 'Details' })
    .click()
  await expect(page.getByRole('heading', { name: '£12.00 to Corner shop (shop.example)' })).toBeVisible()
  found['the payment'] = await dids()
  await visit(page, 'Search')
  await page.getByRole('combobox', { name: 'Search the vault' }).fill('A-17')
  await expect(page.getByText('£12.00 to Corner shop (shop.example)')).toBeVisible()
  found.search = await dids()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find or do something' }).fill('A-17')
  await expect(page.getByRole('option', { name: /^£12\.00 to Corner shop \(shop\.example\)/ })).toBeVisible()
  found['the palette'] = await dids(page.getByRole('dialog', { name: 'Find or do something' }))
  expect(Object.entries(found).filter(([, lines]) => lines.length > 0)).toEqual([])
})
