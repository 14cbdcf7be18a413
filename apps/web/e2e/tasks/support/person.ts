import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { expect, type Guard } from '../../fixtures.ts'

export const PASSPHRASE = 'violet anvil harbour thirty'
export const OTHER_PASSPHRASE = 'copper lantern meadow eleven'
export const FILE_PASSPHRASE = 'granite sparrow window forty'

/** A DID whose key no one here has: the test vector of the did:key method. */
export const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

/** The card under a heading. */
export function card(page: Page, heading: string | RegExp): Locator {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: heading, exact: typeof heading === 'string' }) })
}

/** Types a new passphrase twice and waits until it is rated strong enough. */
export async function choosePassphrase(
  scope: Page | Locator,
  label: string,
  passphrase: string,
): Promise<void> {
  await scope.getByLabel(label, { exact: true }).fill(passphrase)
  await scope.getByLabel('Confirm passphrase').fill(passphrase)
  await expect(scope.getByText(/^(Strong|Very strong)\./)).toBeVisible()
}

interface VaultWishes {
  readonly name?: string
  readonly passphrase?: string
  /** Default: a passphrase. */
  readonly opening?: 'Passphrase' | 'Passkey' | 'Both'
  /** The client's origin, for a browser without a base URL. */
  readonly at?: string
}

interface MadeVault {
  readonly address: string
  readonly did: string
  /** Not saved yet. */
  readonly recoveryCode: string
}

/** Creates a vault through the pages, skips every optional step, and leaves it open. */
export async function makeVault(page: Page, wishes: VaultWishes = {}): Promise<MadeVault> {
  await page.goto(`${wishes.at ?? ''}/register`)
  await fillNewVault(page, wishes)
  await page.getByRole('button', { name: 'Create vault' }).click()
  return await madeVault(page)
}

/** Fills in the first two steps of a new vault on any page that has them. The next step creates it. */
export async function fillNewVault(
  scope: Page | Locator,
  { name = 'Personal', passphrase = PASSPHRASE, opening = 'Passphrase' }: VaultWishes,
): Promise<void> {
  await scope.getByLabel('Name', { exact: true }).fill(name)
  await scope.getByRole('button', { name: 'Continue', exact: true }).click()
  await scope.getByRole('radio', { name: new RegExp(`^${opening}`) }).check()
  if (opening !== 'Passkey') await choosePassphrase(scope, 'Passphrase', passphrase)
}

/** Skips the steps after a vault was created. @returns what they showed */
export async function madeVault(page: Page): Promise<MadeVault> {
  const code = page.getByLabel('Recovery code', { exact: true })
  await expect(code).toBeVisible()
  const recoveryCode = (await code.textContent()) ?? ''
  await page.getByRole('button', { name: 'Skip for now' }).click()
  // Says which step it is at instead, if it isn't there.
  await expect(page.getByRole('heading')).toContainText(['Your vault is ready'])
  const made = card(page, 'Your vault is ready')
  const [address = '', did = ''] = await made.locator('code').allTextContents()
  expect(address).toMatch(/^kh1[02-9ac-hj-np-z]{38}$/)
  expect(did).toMatch(/^did:key:z/)
  return { address, did, recoveryCode }
}

/** Unlocks with the header's button. */
export async function unlock(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  const dialog = unlockDialog(page)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expectUnlocked(page)
}

/** The dialog that asks for the passphrase. Toasts are dialogs too. */
export function unlockDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Unlock / })
}

export async function expectUnlocked(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true })).toBeVisible()
}

export async function expectLocked(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true })).toBeVisible()
}

export type Place =
  | 'Home'
  | 'Grants'
  | 'Payments'
  | 'Activity'
  | 'Settings'
  | 'Search'
  | 'Check a token'
  | 'Demo'

/**
 * Goes to a place within the client, so that an open vault stays open.
 * @param part a tab of the place, or a section of the settings
 */
export async function visit(page: Page, place: Place, part?: string): Promise<void> {
  if (place === 'Demo') {
    await visit(page, 'Settings', 'About Keyhole')
    await page.getByRole('link', { name: 'Open the demo' }).click()
  } else if (place === 'Search') {
    await page.getByRole('button', { name: 'Find or do something' }).click()
    await page.getByRole('combobox', { name: 'Find or do something' }).fill('Search')
    await page
      .getByRole('option', { name: /^Search/ })
      .first()
      .click()
  } else {
    const bar = page.getByRole('banner')
    const links =
      place === 'Check a token' ? bar : page.getByRole('navigation', { name: 'Pages', exact: true })
    await links.getByRole('link', { name: place, exact: true }).filter({ visible: true }).click()
  }
  await arrived(page, place)
  if (part === undefined) return
  if (place === 'Settings') await openSection(page, part)
  else await openTab(page, part)
}

/**
 * Waits until a place is drawn. The address and the link to it change before that, and a press in between still hits the page
 * that is left: it shuts a section that was open there, and on the way back it finds the page as it was.
 */
async function arrived(page: Page, place: Place): Promise<void> {
  const main = page.getByRole('main')
  if (place === 'Demo') return
  const heading = (name: string | RegExp) => main.getByRole('heading', { level: 1, name, exact: true })
  // A vault without grants has a second link to the same form.
  const home = main
    .getByRole('link', { name: 'New grant', exact: true })
    .first()
    .or(heading(/^Your vaults? (is|are) missing$/))
  await expect(place === 'Home' ? home : heading(place)).toBeVisible()
  // All sections are shut there, so one that is open was so before.
  if (place === 'Settings')
    await expect(sectionList(page).getByRole('button', { expanded: true })).toHaveCount(0)
}

/** Opens a tab and waits for it. The previous tab may show the same names. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
  await expect(page.getByRole('tabpanel', { name, exact: true })).toBeVisible()
}

function sectionList(page: Page): Locator {
  return page.getByRole('list', { name: 'Settings', exact: true })
}

/** The line in the settings that opens a section. */
export function sectionButton(page: Page, name: string): Locator {
  return sectionList(page).getByRole('button', { name, exact: true })
}

/** Opens a section of the settings where all are shut. */
async function openSection(page: Page, name: string): Promise<void> {
  await sectionButton(page, name).click()
  await expect(sectionButton(page, name)).toHaveAttribute('aria-expanded', 'true')
}

/** Adds a contact where the contacts are shown, and waits for its page. */
export async function addContact(page: Page, name: string, did: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a contact' }).click()
  const form = page.getByRole('dialog', { name: 'Add a contact' })
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByRole('textbox', { name: 'DID' }).fill(did)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
}

/** Fills in and signs a grant on the Grants page. @returns the token's text */
export async function grant(
  page: Page,
  {
    to,
    command,
    label,
    limit,
    expires,
  }: { to: string; command: string; label?: string; limit?: [string, string, string]; expires?: string },
): Promise<string> {
  // Come from another page: the last signed grant would still be in the form's place.
  await visit(page, 'Home')
  await visit(page, 'Grants')
  const form = card(page, 'New grant')
  await form.getByLabel('Who', { exact: true }).fill(to)
  await form.getByLabel('What they can do').fill(command)
  if (limit) {
    await form.getByRole('button', { name: 'Add a limit' }).click()
    await form.getByLabel('Limit 1: field').fill(limit[0])
    await form.getByLabel('Limit 1: comparison').click()
    await page.getByRole('option', { name: limit[1], exact: true }).click()
    await form.getByLabel('Limit 1: value').fill(limit[2])
  }
  if (label !== undefined) await form.getByLabel('Your name for it').fill(label)
  if (expires !== undefined) {
    await form.getByLabel('Expires').click()
    await page.getByRole('option', { name: expires }).click()
  }
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  return await tokenText(card(page, 'Signed and stored'))
}

/** The token's text in a card that shows one. */
export async function tokenText(scope: Locator): Promise<string> {
  // Wait for the card: before it is drawn there is nothing to unfold.
  const fold = scope.getByText('Exact token', { exact: true })
  await expect(fold).toBeVisible()
  const region = scope.getByRole('region', { name: 'token' })
  if (!(await region.isVisible())) await fold.click()
  const text = (await region.textContent())?.trim() ?? ''
  expect(text).toMatch(/^[CP][A-Za-z0-9_-]{100,}$/)
  return text
}

/** Writes a backup in the settings. @returns the file */
export async function writeBackup(page: Page): Promise<{ name: string; text: string }> {
  await visit(page, 'Settings', 'Backup and storage')
  const form = card(page, 'Create a backup')
  await form.getByLabel('Passphrase of this vault').fill(PASSPHRASE)
  await choosePassphrase(form, 'Passphrase for the file', FILE_PASSPHRASE)
  const downloading = page.waitForEvent('download')
  await form.getByRole('button', { name: 'Create backup file' }).click()
  const download = await downloading
  await expect(form.getByText('Look for the backup file in your downloads.')).toBeVisible()
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

/** Removes an account. @param name which one, if there are several and this one is open */
export async function removeAccount(page: Page, name?: string): Promise<void> {
  await page.goto('/register?tab=accounts')
  const account = name === undefined ? page : page.getByRole('listitem').filter({ hasText: name })
  await account.getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(/to confirm/).fill((await dialog.locator('label strong').textContent()) ?? '')
  await dialog.getByRole('button', { name: 'Remove the vault' }).click()
  await expect(dialog).toHaveCount(0)
}

/** Chooses a file from memory. */
export async function chooseFile(
  scope: Page | Locator,
  { name, text }: { name: string; text: string | Buffer },
): Promise<void> {
  await scope.locator('input[type=file]').setInputFiles({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(text),
  })
}

/** Chooses a backup file and waits until it is read. */
export async function chooseBackup(
  scope: Page | Locator,
  file: { name: string; text: string },
): Promise<void> {
  await chooseFile(scope, file)
  await expect(scope.getByText(/^The file says it’s from/)).toBeVisible()
  await expect(scope.getByLabel('Backup passphrase')).toBeFocused()
}

/** Enters the passphrase in the dialog that asks for it, and presses its button. */
export async function prove(page: Page, action: string, passphrase = PASSPHRASE): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: action }) })
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await dialog.getByRole('button', { name: action }).click()
}

/**
 * Deletes the databases without a message, as a browser does when it runs out of room or its files are broken.
 * @returns a new page on which the client then starts
 */
export async function loseDatabase(
  page: Page,
  context: BrowserContext,
  guard: Guard,
  address: string,
  { mirrorToo = false } = {},
): Promise<Page> {
  // A page that runs nothing of the client. It has no icon, and browsers ask for one.
  guard.allow(/^Failed to load resource: the server responded with a status of 404 \(Not Found\)$/)
  const other = await context.newPage()
  await guard.watch(other)
  await other.goto('/manifest.webmanifest')
  await page.close()
  await other.evaluate(
    async ({ name, folder, mirrorToo }) => {
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error)
      })
      if (!mirrorToo) return
      const root = await navigator.storage.getDirectory()
      await root.removeEntry(folder, { recursive: true })
    },
    { name: `vault_${address}`, folder: 'keyhole', mirrorToo },
  )
  await other.goto('/')
  return other
}

/** Another person: a separate browser, watched like the first one. */
export async function another(
  browser: Browser,
  guard: Guard,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await guard.watch(page)
  return { page, context }
}
