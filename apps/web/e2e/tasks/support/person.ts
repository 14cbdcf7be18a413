import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { expect, type Guard } from '../../fixtures.ts'

export const PASSPHRASE = 'violet anvil harbour thirty'
export const OTHER_PASSPHRASE = 'copper lantern meadow eleven'
export const FILE_PASSPHRASE = 'granite sparrow window forty'

/** A DID whose key nobody here has: the test vector of the did:key method. */
export const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

/** The card under a heading. */
export function card(page: Page, heading: string | RegExp): Locator {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: heading, exact: typeof heading === 'string' }) })
}

/** Types a new passphrase twice, and waits until it is judged to be strong enough. */
export async function choosePassphrase(
  scope: Page | Locator,
  label: string,
  passphrase: string,
): Promise<void> {
  await scope.getByLabel(label, { exact: true }).fill(passphrase)
  await scope.getByLabel('The same again').fill(passphrase)
  await expect(scope.getByText(/^(Strong|Very strong)\./)).toBeVisible()
}

interface VaultWishes {
  readonly name?: string
  /** Undefined with a passkey alone. */
  readonly passphrase?: string | undefined
  /** By a passkey, or by both. Default: by a passphrase. */
  readonly opening?: 'Passphrase' | 'Passkey' | 'Both'
  /** Whether a recovery code is made as well. Default false. */
  readonly recoveryCode?: boolean
  /** The client's origin, in a browser that knows no other. */
  readonly at?: string
}

interface MadeVault {
  readonly address: string
  readonly did: string
  /** Not yet given back. */
  readonly recoveryCode: string | undefined
}

/** Makes a vault by the pages, and leaves it open. */
export async function makeVault(page: Page, wishes: VaultWishes = {}): Promise<MadeVault> {
  await page.goto(`${wishes.at ?? ''}/register`)
  await fillNewVault(page, wishes)
  await page.getByRole('button', { name: 'Create the vault' }).click()
  return await madeVault(page)
}

/** Fills the form of a new vault in, on any page that has it. */
export async function fillNewVault(
  scope: Page | Locator,
  { name = 'Personal', passphrase = PASSPHRASE, opening = 'Passphrase', recoveryCode = false }: VaultWishes,
): Promise<void> {
  await scope.getByLabel('Name', { exact: true }).fill(name)
  await scope.getByRole('radio', { name: new RegExp(`^${opening}`) }).check()
  if (opening !== 'Passkey') await choosePassphrase(scope, 'Passphrase', passphrase)
  const code = scope.getByRole('checkbox', { name: /^Make a recovery code/ })
  // A passkey alone has it in any case.
  if (opening === 'Passkey') await expect(code).toBeDisabled()
  else await code.setChecked(recoveryCode)
}

/** What a page says of a vault that has just been made. */
export async function madeVault(page: Page): Promise<MadeVault> {
  const made = card(page, 'Your vault is ready')
  await expect(made).toBeVisible()
  const [address = '', did = ''] = await made.locator('code').allTextContents()
  expect(address).toMatch(/^kh1[02-9ac-hj-np-z]{38}$/)
  expect(did).toMatch(/^did:key:z/)
  const shown = page.getByLabel('Recovery code', { exact: true })
  const recoveryCode = (await shown.count()) > 0 ? await shown.textContent() : null
  return { address, did, recoveryCode: recoveryCode ?? undefined }
}

/** Unlocks by the header's button. */
export async function unlock(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true }).click()
  const dialog = unlockDialog(page)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await expectUnlocked(page)
}

/** The dialog that asks for the passphrase: what has just happened is announced in another one. */
export function unlockDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Unlock / })
}

export async function expectUnlocked(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('button', { name: 'Lock', exact: true })).toBeVisible()
}

export async function expectLocked(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('button', { name: 'Unlock', exact: true })).toBeVisible()
}

/** Goes to a page within the client, so that an open vault stays open. */
export async function visit(
  page: Page,
  name: 'Home' | 'Identity' | 'Payments' | 'Search' | 'Demo',
  tab?: string,
): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name, exact: true })
    .filter({ visible: true })
    .click()
  if (tab !== undefined) await openTab(page, tab)
}

/** Opens a tab of the page, and waits until it is there: what the one before it showed may have the same names. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
  await expect(page.getByRole('tabpanel', { name, exact: true })).toBeVisible()
}

/** Fills in and signs a grant on the Grants tab. @returns the token's text */
export async function grant(
  page: Page,
  {
    to,
    command,
    label,
    limit,
  }: { to: string; command: string; label?: string; limit?: [string, string, string] },
): Promise<string> {
  await visit(page, 'Identity', 'Grants')
  const form = card(page, 'New grant')
  await form.getByLabel('To whom').fill(to)
  await form.getByLabel('May do what').fill(command)
  if (limit) {
    await form.getByRole('button', { name: 'Add a limit' }).click()
    await form.getByLabel('Limit 1: field').fill(limit[0])
    await form.getByLabel('Limit 1: comparison').click()
    await page.getByRole('option', { name: limit[1], exact: true }).click()
    await form.getByLabel('Limit 1: value').fill(limit[2])
  }
  if (label !== undefined) await form.getByLabel('A name for it').fill(label)
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  return await tokenText(card(page, 'Signed and stored'))
}

/** The token's text in a card that shows one. */
export async function tokenText(scope: Locator): Promise<string> {
  const text = (await scope.getByRole('region', { name: 'token' }).textContent())?.trim() ?? ''
  expect(text).toMatch(/^[CP][A-Za-z0-9_-]{100,}$/)
  return text
}

/** Writes a backup on the Backup tab. @returns the file */
export async function writeBackup(page: Page): Promise<{ name: string; text: string }> {
  await visit(page, 'Identity', 'Backup')
  const form = card(page, 'Write a backup')
  await form.getByLabel('Passphrase of this vault').fill(PASSPHRASE)
  await choosePassphrase(form, 'Passphrase for the file', FILE_PASSPHRASE)
  const downloading = page.waitForEvent('download')
  await form.getByRole('button', { name: 'Write the backup file' }).click()
  const download = await downloading
  await expect(form.getByText('The backup is in your downloads.')).toBeVisible()
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

/** Removes an account. @param name which one, where there are several and this one is open */
export async function removeAccount(page: Page, name?: string): Promise<void> {
  await page.goto('/register?tab=accounts')
  const account = name === undefined ? page : page.getByRole('listitem').filter({ hasText: name })
  await account.getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(/to confirm/).fill((await dialog.locator('label strong').textContent()) ?? '')
  await dialog.getByRole('button', { name: 'Remove the account' }).click()
  await expect(dialog).toHaveCount(0)
}

/** Chooses a file that is in memory. */
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

/** Chooses a backup file, and waits until it is read. */
export async function chooseBackup(
  scope: Page | Locator,
  file: { name: string; text: string },
): Promise<void> {
  await chooseFile(scope, file)
  await expect(scope.getByText(/^It says it is of/)).toBeVisible()
  await expect(scope.getByLabel('Passphrase of the file')).toBeFocused()
}

/** Gives the passphrase in the dialog that asks for a proof, and presses its button. */
export async function prove(page: Page, action: string, passphrase = PASSPHRASE): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: action }) })
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await dialog.getByRole('button', { name: action }).click()
}

/**
 * What a browser does that runs out of room or finds its files broken: the databases go, without a word.
 * @returns a new page, on which the client then starts
 */
export async function loseDatabase(
  page: Page,
  context: BrowserContext,
  guard: Guard,
  address: string,
  { mirrorToo = false } = {},
): Promise<Page> {
  // Where nothing of the client runs: a page without an icon, which the browser asks for.
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

/** Another person: a browser of their own, watched as the first one is. */
export async function another(
  browser: Browser,
  guard: Guard,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await guard.watch(page)
  return { page, context }
}
