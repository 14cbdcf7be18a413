// The whole request must have been visible before it can be approved, and clicking at a rhythm must not be enough to spend or send.

import type { Page } from '@playwright/test'
import type { App } from '../../counterparts/app.js'
import { approve, clickInRhythm, pressCounted } from '../../presses.js'
import { expect, test } from '../support/app-fixtures.ts'
import { card, makeVault, STRANGER, visit } from '../support/person.ts'

/** Opens an app's request by link in a separate tab. */
async function asked(page: Page, app: App, wishes: { command: string; policy?: unknown[] }): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(await app.link(wishes))
  await expect(tab.getByRole('button', { name: 'Grant it' })).toBeVisible()
  return tab
}

const granted = (tab: Page) => tab.getByText('Now give the text below to the person who asked.')

test('all of 251 alternatives are shown, and must have been visible before you can grant', async ({
  page,
  app,
}) => {
  await makeVault(page)
  const people = Array.from({ length: 251 }, (_, at) => `person-${at}@example.com`)
  const tab = await asked(page, app, {
    command: '/notes/read',
    policy: [['or', people.map((person) => ['==', '.to', person])]],
  })
  const sentence = tab.locator('[data-slot="sentence"]')
  await expect(sentence).toContainText('“to” is one of these 251:')
  for (const person of people) await expect(sentence).toContainText(`“${person}”`)

  const grant = tab.getByRole('button', { name: 'Grant it' })
  await tab.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(grant).toBeInViewport({ ratio: 1 })
  // The middle was skipped, so a press scrolls there.
  await grant.click({ force: true })
  await expect(grant).not.toBeInViewport()
  await expect(grant).toBeDisabled()
  await approve(grant)
  await expect(granted(tab)).toBeVisible()
})

test('sending takes a switch and then a button, and clicks at a rhythm reach neither', async ({
  page,
  app,
}) => {
  await makeVault(page)
  const wishes = { command: '/msg/send', policy: [['==', '.to', 'bob@example.com']] }
  const tab = await asked(page, app, wishes)
  const grant = tab.getByRole('button', { name: 'Grant it' })
  const consent = tab.getByRole('switch', { name: 'I’ve read this and want to allow it' })

  await tab.evaluate(clickInRhythm, 'Grant it')
  await tab.evaluate(`(${clickInRhythm})('Grant it', true)`)
  await expect(granted(tab)).toHaveCount(0)

  await test.step('by keyboard', async () => {
    await tab.reload()
    await expect(consent).toBeVisible()
    await tab.locator('[data-slot="sentence"]').scrollIntoViewIfNeeded()
    await tab.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    await grant.scrollIntoViewIfNeeded()
    await expect(consent).toBeEnabled()
    await expect(grant).toBeDisabled()
    await pressCounted(consent, { press: () => consent.press('Space') })
    await expect(consent).toBeChecked()
    await expect(grant).toBeEnabled()
    // Turning it off again disables the button.
    await pressCounted(consent, { press: () => consent.press('Space') })
    await expect(consent).not.toBeChecked()
    await expect(grant).toBeDisabled()
    await approve(grant, () => grant.press('Enter'))
    await expect(granted(tab)).toBeVisible()
  })

  await test.step('reading needs no switch', async () => {
    const reading = await asked(page, app, { command: '/notes/read' })
    await expect(reading.getByRole('switch')).toHaveCount(0)
    await approve(reading.getByRole('button', { name: 'Grant it' }))
    await expect(granted(reading)).toBeVisible()
  })
})

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  /** Expects the whole sentence about what is signed to be visible above the button. */
  const expectAbove = async (page: Page, words: RegExp, button: string) => {
    const sentence = await page.getByText(words).first().boundingBox()
    const sign = await page.getByRole('button', { name: button, exact: true }).boundingBox()
    expect((sentence?.y ?? Number.POSITIVE_INFINITY) + (sentence?.height ?? 0)).toBeLessThan(sign?.y ?? 0)
  }

  test('what is signed is shown above the button that signs it', async ({ page }) => {
    await makeVault(page)
    await visit(page, 'Grants')
    const form = card(page, 'New grant')
    await form.getByLabel('Who', { exact: true }).fill(STRANGER)
    await form.getByLabel('What they can do').fill('/msg/send')
    await expect(page.getByText('What you are about to sign')).toHaveCount(1)
    await expectAbove(page, /^You let .+ send messages, with no limits/, 'Sign the grant')

    await visit(page, 'Payments', 'New mandate')
    const mandate = card(page, 'New mandate')
    await mandate.getByRole('button', { name: 'An agent for a day' }).click()
    await mandate.getByLabel('Who', { exact: true }).fill(STRANGER)
    await test.step('any shop can be chosen, with a warning, and a payment above the budget is refused', async () => {
      await mandate.getByRole('button', { name: 'Sign the mandate' }).click()
      await expect(mandate.getByText('Name each shop that may be paid, or choose “Any shop”.')).toBeVisible()
      await mandate.getByRole('radio', { name: /^Any shop/ }).check()
      await expect(mandate.getByText('Payments can go to anyone.')).toBeVisible()
      await mandate.getByLabel('Maximum per payment').fill('60.01')
      await expect(mandate.getByText('This is more than the whole budget, £60.00')).toBeVisible()
      await mandate.getByLabel('Maximum per payment').fill('60')
    })
    await expect(page.getByText('It may go to any shop: no payee is named.')).toBeVisible()
    await expectAbove(page, /^Budget: at most £60\.00 a day and 5 payments a day\./, 'Sign the mandate')
  })
})
