// Pages and states that are checked in several ways: by axe, by the size of what can be pressed, by keyboard.
import type { Locator, Page } from '@playwright/test'
import { expect } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import { card, choosePassphrase, PASSPHRASE, type Place, STRANGER, visit } from './person.ts'

/** Addresses that show something without a vault. */
export const WITHOUT_VAULT = [
  '/',
  '/register',
  '/register?tab=restore',
  '/register?tab=restore&from=code',
  '/register?tab=restore&from=key',
  '/register?tab=restore&from=device',
  '/register?tab=accounts',
  '/identity',
  '/identity?tab=ask',
  '/identity?tab=check',
  '/search',
  '/payment',
  '/payment?tab=new',
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
  ['Settings', 'Vaults'],
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
  /** Default: a dialog that asks nothing. */
  readonly role?: 'alertdialog'
}

/** The grant that the dialogs are about. */
export const LABEL = 'Holiday mails'
/** Whom it was given to. */
const HOLDER = 'Anna Berger'

/**
 * Dialogs of a vault with a contact, `STRANGER`, and a grant to them that is called `LABEL`. The last ones leave a second key, a saved template
 * and a draft behind.
 */
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
    opener: (page) => page.getByRole('button', { name: 'Send them a link' }),
    title: 'Send a link to ask',
  },
  {
    name: 'the accounts',
    come: (page) => visit(page, 'Home'),
    opener: (page) => page.getByRole('banner').getByRole('button', { name: /^Vaults: / }),
    title: 'Vaults in this browser',
  },
  {
    name: 'a word that is explained',
    come: (page) => visit(page, 'Payments'),
    opener: (page) => page.getByRole('button', { name: 'What’s a mandate?' }),
    title: 'Mandate',
  },
  {
    name: 'a contact to rename',
    come: visitHolder,
    opener: (page) => page.getByRole('button', { name: 'Edit…', exact: true }),
    title: 'Edit contact',
  },
  {
    name: 'everything of a contact to revoke',
    come: visitHolder,
    opener: (page) => page.getByRole('button', { name: 'Revoke everything…' }),
    title: /^Revoke everything for/,
    role: 'alertdialog',
  },
  {
    name: 'a grant to revoke',
    come: (page) => visit(page, 'Grants', 'Given'),
    opener: (page) => page.getByRole('article', { name: LABEL }).getByRole('button', { name: 'Revoke…' }),
    title: /^Revoke/,
    role: 'alertdialog',
  },
  {
    name: 'a method to rename',
    come: (page) => visit(page, 'Settings', 'Unlocking'),
    opener: (page) => page.getByRole('button', { name: 'Rename Passphrase' }),
    title: 'Rename Passphrase',
  },
  {
    name: 'a proof before a passkey',
    come: (page) => visit(page, 'Settings', 'Unlocking'),
    opener: (page) => page.getByRole('button', { name: 'Add a passkey' }),
    title: 'Add a passkey',
  },
  {
    name: 'a key to make',
    come: (page) => visit(page, 'Settings', 'Keys'),
    opener: (page) => page.getByRole('button', { name: 'New key' }),
    title: 'New key',
  },
  {
    name: 'an account to remove',
    come: async (page) => {
      await visit(page, 'Settings', 'Vaults')
      await page.getByRole('link', { name: 'Manage vaults' }).click()
      await expect(card(page, 'Vaults in this browser')).toBeVisible()
    },
    opener: (page) => page.getByRole('button', { name: 'Remove', exact: true }),
    title: /^Remove .* from this browser\?$/,
    role: 'alertdialog',
  },
  {
    name: 'a key to delete',
    come: async (page) => {
      await visit(page, 'Settings', 'Keys')
      await page.getByRole('button', { name: 'New key' }).click()
      const dialog = page.getByRole('dialog', { name: 'New key' })
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await expect(dialog).toHaveCount(0)
    },
    opener: (page) => page.getByRole('button', { name: 'Delete', exact: true }),
    title: /^Delete .*\?$/,
    role: 'alertdialog',
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

/** The page of the contact who holds the grant. It is made the first time. */
async function visitHolder(page: Page): Promise<void> {
  await visit(page, 'Grants', 'Contacts')
  const known = page.getByRole('list', { name: 'Contacts' }).getByRole('button', { name: HOLDER })
  await known.click()
  await expect(page.getByRole('heading', { name: HOLDER, exact: true })).toBeVisible()
}

async function fillCommand(page: Page): Promise<void> {
  await visit(page, 'Grants', 'Given')
  await card(page, 'New grant').getByLabel('What they can do').fill('/msg/send')
}

/** Opens each dialog, looks at it, and closes it again. */
export async function lookAtDialogs(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const { name, come, opener, title, role = 'dialog' } of DIALOGS) {
    await come(page)
    await opener(page).click()
    await expect(page.getByRole(role, { name: title })).toBeVisible()
    await look(name)
    await page.keyboard.press('Escape')
    await expect(page.getByRole(role, { name: title })).toHaveCount(0)
  }
}

/** The part of the address after the # that asks a vault for something. */
export function requestOf(request: Readonly<Record<string, unknown>>): string {
  return `keyhole-request-1.${Buffer.from(JSON.stringify(request)).toString('base64url')}`
}

/** What an agent asks for by link. It sends, so it takes a switch and a button. */
export const REQUEST = requestOf({
  ...{ kind: 'capability', command: '/msg/send', audience: STRANGER },
  ...{ policy: [['==', '.to', 'bob@example.com']], expiresIn: 86_400 },
  reason: 'To send the invitations of your calendar',
})

/** Looks at each state of `/connect` where the vault is open, in tabs of their own. It grants what is asked. */
export async function lookAtConnect(
  page: Page,
  look: (tab: Page, name: string) => Promise<void>,
  watch: (tab: Page) => Promise<void> = async () => undefined,
): Promise<void> {
  const open = async (fragment: string) => {
    const tab = await page.context().newPage()
    await watch(tab)
    await tab.setViewportSize(page.viewportSize() ?? { width: 1280, height: 720 })
    await tab.goto(`/connect${fragment}`)
    await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
    return tab
  }
  const byHand = await open('')
  await expect(byHand.getByLabel('The request')).toBeVisible()
  await look(byHand, 'a request to paste')
  await byHand.close()
  const wrong = await open('#keyhole-request-1.bm90aGluZw')
  await expect(wrong.getByText('This request can’t be read')).toBeVisible()
  await look(wrong, 'a request that is none')
  await wrong.close()
  const asked = await open(`#${REQUEST}`)
  await expect(asked.getByRole('button', { name: 'Grant it' })).toBeVisible()
  await look(asked, 'a request')
  await asked.getByText('What it allows').click()
  await asked.getByText('Change what you grant', { exact: true }).click()
  await expect(asked.getByLabel('Expires')).toBeVisible()
  // Axe reports a target as too small if the header covers half of it.
  await asked.evaluate(() => scrollTo(0, 0))
  await look(asked, 'a request, while it is changed')
  await asked.getByRole('button', { name: 'Decline' }).click()
  await expect(asked.getByText('Declined', { exact: true })).toBeVisible()
  await look(asked, 'a request, declined')
  await asked.close()
  const granted = await open(`#${REQUEST}`)
  await approve(granted.getByRole('button', { name: 'Grant it' }))
  await expect(granted.getByText('Now give the text below to the person who asked.')).toBeVisible()
  await look(granted, 'a request, granted')
  await granted.close()
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
  await expect(page.getByRole('button', { name: 'Create backup file' })).toBeVisible()
  await look('a first backup to save')
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await expect(card(page, 'Your vault is ready')).toBeVisible()
  await look('just made')
}
