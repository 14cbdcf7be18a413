import { expectAccessible } from '../../axe-rules.ts'
import { expect, test } from '../../fixtures.ts'
import { holdClient } from '../support/held-client.ts'
import { card, expectLocked, grant, makeVault, PASSPHRASE, STRANGER, visit } from '../support/person.ts'

/** Another DID whose key this vault doesn't have. */
const FRIEND = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'

test('a visitor sees a real grant, has it checked, and sees a widened one refused', async ({ page }) => {
  await page.goto('/')
  const sample = card(page, 'You sign a sentence. They get a token.')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // Content below the fold loads once someone scrolls, and the engine with it.
  await expect(sample).toHaveCount(0)
  await page.mouse.wheel(0, 400)
  await expect(sample).toContainText('You let Photo printer (…FJx9) read data')
  await sample.getByRole('button', { name: 'Check it' }).click()
  await expect(sample.getByText('Valid.', { exact: true })).toBeVisible()
  await sample.getByRole('button', { name: 'Change the limit and check' }).click()
  await expect(sample.getByText('Refused: A signature isn’t valid.')).toBeVisible()
  await expectAccessible(page)
})

for (const [button, opened] of [
  ['Find or do something', 'Find or do something'],
  ['Theme and language', 'Theme'],
] as const)
  test(`pressing “${button}” before its script is ready opens it as soon as possible`, async ({ page }) => {
    const release = await holdClient(page)
    await page.goto('/')
    const pressed = page.getByRole('button', { name: button, exact: true })
    await expect(pressed).toBeDisabled()
    await pressed.click({ force: true })
    release()
    await expect(
      page.getByRole('dialog', { name: opened }).or(page.getByRole('group', { name: opened })),
    ).toBeVisible()
  })

test('active grants show on a timeline and as a graph, by keyboard too, and by a link', async ({ page }) => {
  await makeVault(page)
  await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await grant(page, { to: FRIEND, command: '/http/get', label: 'Weather' })
  await visit(page, 'Home')
  const out = card(page, 'Active grants')
  await expect(out.getByText('2 active grants.')).toBeVisible()
  const row = out.getByRole('link', {
    name: /Holiday mails: You let .* send messages, with no limits, until /,
  })
  await expect(row).toContainText(/From .* until /)
  await expect(card(page, 'Last activity').getByText('Weather')).toBeVisible()

  // On the timeline, choose a span, and move it with the arrow keys.
  await out.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page).toHaveURL(/span=week/)
  await expect(out.getByRole('button', { name: 'Week', exact: true })).toHaveAttribute('aria-pressed', 'true')
  const shown = out.getByText(/^Shown: from /)
  const before = (await shown.textContent()) ?? ''
  await out.getByRole('region', { name: /^Timeline of active grants/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/from=\d+/)
  await expect(shown).not.toHaveText(before)
  await out.getByRole('button', { name: 'Now', exact: true }).click()
  await expect(page).not.toHaveURL(/from=/)

  // In the graph, each party leads to its grants.
  await out.getByRole('button', { name: 'Graph' }).click()
  await expect(page).toHaveURL(/view=graph/)
  const holders = out.getByRole('list', { name: 'Who holds something of yours' })
  await expect(holders.getByRole('listitem')).toHaveCount(2)
  const stranger = holders.getByRole('button', { name: 'Unknown key (…2doK): 1 grant' })
  await stranger.focus()
  await page.keyboard.press('Enter')
  await expect(stranger).toHaveAttribute('aria-expanded', 'true')
  await expect(out.getByText('One grant that you gave to')).toBeVisible()
  await expect(out.getByText('Holiday mails')).toBeVisible()
  await expect(out.getByText('Weather')).toHaveCount(0)
  await expectAccessible(page)

  // The link keeps the view. Sealed data stays hidden until you unlock, and the page offers that.
  await page.reload()
  await expectLocked(page)
  await expect(holders.getByRole('listitem')).toHaveCount(2)
  await expect(card(page, 'Last activity').getByText('Activity is encrypted.')).toBeVisible()
  await expect(page.getByText('Holiday mails')).toHaveCount(0)
  const locked = card(page, 'The vault is locked')
  await locked.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await locked.getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(locked).toHaveCount(0)
  await expect(card(page, 'Last activity').getByText('Created a grant').first()).toBeVisible()

  // An address with invalid values shows the default page.
  await page.goto('/?view=nonsense&span=eternity&from=soon')
  await expect(out.getByRole('button', { name: 'All', exact: true })).toHaveAttribute('aria-pressed', 'true')
})
