import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { Hands } from '../support/hands.ts'
import { done } from '../support/most-presses.ts'
import {
  addContact,
  another,
  card,
  choosePassphrase,
  FILE_PASSPHRASE,
  grant,
  makeVault,
  OTHER_PASSPHRASE,
  STRANGER,
  tokenText,
  visit,
  writeBackup,
} from '../support/person.ts'
import { askFor, giveMandate, takeMandate } from '../support/spending.ts'

const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).filter({
    visible: true,
  })

test('each task takes no more presses than were written down for it', async ({ page }) => {
  await makeVault(page)
  await visit(page, 'Grants', 'Contacts')
  await addContact(page, 'Anna Berger', STRANGER)
  const token = await grant(page, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await grant(page, { to: STRANGER, command: '/build/run', label: 'Build server' })
  const hands = new Hands()

  await visit(page, 'Home')
  await hands.press(page, 'Control+k')
  await page.getByRole('combobox', { name: 'Find or do something' }).fill('holiday')
  await expect(page.getByRole('option', { name: /Holiday mails/ }).first()).toBeVisible()
  await hands.click(page.getByRole('option', { name: /Holiday mails/ }).first())
  await expect(page.getByRole('article', { name: 'Holiday mails' })).toBeVisible()
  done(hands, 'find a grant')

  await visit(page, 'Home')
  await hands.click(place(page, 'Grants'))
  await hands.click(
    page.getByRole('article', { name: 'Holiday mails' }).getByRole('button', { name: 'Renew…' }),
  )
  await hands.click(page.getByRole('dialog').getByRole('button', { name: /^(Renew|Sign)/ }))
  await expect(page.getByRole('dialog').getByText('Signed and stored')).toBeVisible()
  done(hands, 'renew a grant')
  await page.keyboard.press('Escape')

  await visit(page, 'Home')
  await hands.click(page.getByRole('link', { name: 'Check a token', exact: true }).filter({ visible: true }))
  await hands.paste(page.getByLabel('Token', { exact: true }), token)
  await expect(page.getByText('Valid.', { exact: true })).toBeVisible()
  done(hands, 'check a stranger’s token')

  await visit(page, 'Home')
  await hands.click(place(page, 'Payments'))
  await hands.click(page.getByRole('tab', { name: 'New mandate', exact: true }))
  const mandate = card(page, 'New mandate')
  await hands.click(mandate.getByRole('button', { name: 'An agent for a day' }))
  await hands.paste(mandate.getByLabel('Who', { exact: true }), STRANGER)
  await hands.click(mandate.getByRole('radio', { name: /^Any shop/ }))
  await hands.click(mandate.getByRole('button', { name: 'Sign the mandate' }))
  await expect(card(page, 'Signed and stored')).toBeVisible()
  done(hands, 'give an agent a budget')

  await visit(page, 'Home')
  await hands.click(place(page, 'Grants'))
  await hands.click(page.getByRole('tab', { name: 'Contacts', exact: true }))
  await hands.click(page.getByRole('list', { name: 'Contacts' }).getByRole('button').first())
  await hands.click(page.getByRole('button', { name: 'Revoke everything…' }))
  const confirm = page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Revoke everything', exact: true })
  await hands.approve(confirm)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Revoke everything…' })).toHaveCount(0)
  done(hands, 'revoke all of one agent')
})

test('what was given is passed on, paid from and restored with no more presses than were written down', async ({
  page,
  browser,
  guard,
}) => {
  test.setTimeout(240_000)
  const { page: agent, context } = await another(browser, guard)
  const { did } = await makeVault(agent, { name: 'Agent' })
  await makeVault(page)
  const hands = new Hands()

  const given = await grant(page, { to: did, command: '/msg', label: 'Mails' })
  await visit(agent, 'Grants', 'Received')
  await card(agent, 'Add a token').getByLabel('Token', { exact: true }).fill(given)
  await agent.getByRole('button', { name: 'Check and add' }).click()
  await expect(agent.getByRole('button', { name: 'Narrow and pass on' }).first()).toBeVisible()
  await visit(agent, 'Home')
  await hands.click(place(agent, 'Grants'))
  await hands.click(agent.getByRole('tab', { name: 'Received', exact: true }))
  await hands.click(agent.getByRole('button', { name: 'Narrow and pass on' }).first())
  const narrow = card(agent, 'Narrow and pass on')
  await hands.paste(narrow.getByLabel('Who', { exact: true }), STRANGER)
  // Typed, not pressed.
  await narrow.getByLabel('What they can do').fill('/msg/send')
  await hands.click(narrow.getByRole('button', { name: 'Sign and pass on' }))
  await hands.click(card(agent, 'Signed and stored').getByRole('button', { name: 'Copy the token' }).first())
  done(hands, 'narrow a grant and pass it on')

  await giveMandate(page, 'An agent for a day', { Who: did, 'Paid to': 'https://shop.example' })
  await takeMandate(agent, await tokenText(card(page, 'Signed and stored')))
  const request = await askFor(agent, '1200', 'A-17')
  await context.close()
  await visit(page, 'Home')
  await hands.click(page.getByRole('link', { name: 'Check a token', exact: true }).filter({ visible: true }))
  await hands.paste(page.getByLabel('Token', { exact: true }), request)
  const asked = card(page, 'What it asks for')
  await hands.approve(asked.getByRole('button', { name: /^Countersign/ }))
  await expect(asked.getByText('Countersigned, counted and stored.')).toBeVisible()
  await hands.click(asked.getByRole('button', { name: /^Copy/ }).first())
  done(hands, 'pay from a budget')

  const file = await writeBackup(page)
  const { page: fresh } = await another(browser, guard)
  await fresh.goto('/')
  await hands.click(fresh.getByRole('link', { name: /^Restore vault/ }))
  const form = card(fresh, 'Restore from a backup')
  await hands.choose(form, file)
  await form.getByLabel('Backup passphrase').fill(FILE_PASSPHRASE)
  await choosePassphrase(form, 'Passphrase for this browser', OTHER_PASSPHRASE)
  await hands.click(form.getByRole('button', { name: 'Restore the vault' }))
  await expect(fresh.getByText('Your vault is back, and open.')).toBeVisible()
  done(hands, 'restore a vault from its backup')
})
