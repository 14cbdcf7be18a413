// Pages and states that are checked in several ways: by axe, by the size of what can be pressed, by keyboard.
import type { Locator, Page } from '@playwright/test'
import { expect } from '../../fixtures.ts'
import { card, choosePassphrase, PASSPHRASE, type Place, visit } from './person.ts'

/** Addresses that show something without a vault. */
export const WITHOUT_VAULT = [
  '/',
  '/register',
  '/register?tab=restore',
  '/register?tab=accounts',
  '/identity',
  '/identity?tab=ask',
  '/identity?tab=check',
  '/search',
  '/payment',
] as const

/** Every place of an open vault, and its parts. */
export const PLACES: readonly (readonly [place: Place, part?: string])[] = [
  ['Home'],
  ['Grants', 'Given'],
  ['Grants', 'Received'],
  ['Grants', 'Requests'],
  ['Grants', 'Contacts'],
  ['Payments', 'Mandates'],
  ['Payments', 'New mandate'],
  ['Payments', 'History'],
  ['Activity'],
  ['Settings'],
  ['Settings', 'Your account'],
  ['Settings', 'Keys'],
  ['Settings', 'Unlocking'],
  ['Settings', 'Backup and storage'],
  ['Settings', 'Devices'],
  ['Settings', 'Apps and tabs'],
  ['Settings', 'Accounts'],
  ['Settings', 'Theme and language'],
  ['Settings', 'About Keyhole'],
  ['Check a token'],
  ['Search'],
]

/** A dialog of an open vault. */
interface OpenedDialog {
  /** What it shows. */
  readonly name: string
  /** Goes to where it is opened. */
  readonly come: (page: Page) => Promise<void>
  readonly opener: (page: Page) => Locator
  readonly title: string | RegExp
}

/** The grant that the dialogs are about. */
export const LABEL = 'Holiday mails'

/** Dialogs of a vault with a grant that is called `LABEL`. The last two leave a saved template and a draft behind. */
export const DIALOGS: readonly OpenedDialog[] = [
  {
    name: 'the palette',
    come: (page) => visit(page, 'Home'),
    opener: (page) => page.getByRole('banner').getByRole('button', { name: 'Find or do something' }),
    title: 'Find or do something',
  },
  {
    name: 'a QR code',
    come: (page) => visit(page, 'Settings', 'Your account'),
    opener: (page) => page.getByRole('button', { name: /^Show a QR code of/ }).first(),
    title: /^QR code of/,
  },
  {
    name: 'a contact to add',
    come: (page) => visit(page, 'Grants', 'Contacts'),
    opener: (page) => page.getByRole('button', { name: 'Add a contact' }),
    title: 'Add a contact',
  },
  {
    name: 'a grant to renew',
    come: (page) => visit(page, 'Grants', 'Given'),
    opener: (page) => page.getByRole('article', { name: LABEL }).getByRole('button', { name: 'Renew…' }),
    title: /^Renew/,
  },
  {
    name: 'a link that asks for a DID',
    come: (page) => visit(page, 'Grants', 'Given'),
    opener: (page) => page.getByRole('button', { name: 'Send a link to ask' }),
    title: 'Send a link to ask',
  },
  {
    name: 'a template to save',
    come: fillCommand,
    opener: (page) => page.getByRole('button', { name: 'Save as a template' }),
    title: 'Save as a template',
  },
  {
    name: 'templates to edit',
    come: async (page) => {
      await fillCommand(page)
      await page.getByRole('button', { name: 'Save as a template' }).click()
      const dialog = page.getByRole('dialog', { name: 'Save as a template' })
      await dialog.getByLabel('Name', { exact: true }).fill('Mails')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(dialog).toHaveCount(0)
    },
    opener: (page) => page.getByRole('button', { name: 'Edit templates' }),
    title: 'Your templates',
  },
]

async function fillCommand(page: Page): Promise<void> {
  await visit(page, 'Grants', 'Given')
  await card(page, 'New grant').getByLabel('What they can do').fill('/msg/send')
}

/** Opens each dialog, looks at it, and closes it again. */
export async function lookAtDialogs(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const { name, come, opener, title } of DIALOGS) {
    await come(page)
    await opener(page).click()
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await look(name)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: title })).toHaveCount(0)
  }
}

/** Makes a vault through its pages and looks at each step. It is open in the end, and its code is saved. */
export async function lookAtMaking(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await page.goto('/register')
  await expect(page.getByRole('banner').getByRole('button').first()).toBeEnabled()
  await look('a vault to name')
  await page.getByLabel('Name', { exact: true }).fill('Personal')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('radio', { name: /^Passphrase/ })).toBeVisible()
  await look('how it is unlocked')
  await page.getByRole('radio', { name: /^Passphrase/ }).check()
  await choosePassphrase(page, 'Passphrase', PASSPHRASE)
  await look('a passphrase that was chosen')
  await page.getByRole('button', { name: 'Create vault' }).click()
  await expect(page.getByLabel('Paste it back')).toBeVisible()
  const code = (await page.getByLabel('Recovery code', { exact: true }).textContent()) ?? ''
  await look('a recovery code to save')
  await page.getByLabel('Paste it back').fill(code)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await expect(page.getByRole('button', { name: 'Save backup file' })).toBeVisible()
  await look('a first backup to save')
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await expect(card(page, 'Your vault is ready')).toBeVisible()
  await look('just made')
}
