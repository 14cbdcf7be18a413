// What a person does in the client, in any engine.
import { expect } from 'vitest'
import type { Page } from './page.ts'

export const PASSPHRASE = 'violet anvil harbour thirty'
export const FILE_PASSPHRASE = 'granite sparrow window forty'
/** A DID whose key no one here has: the test vector of the did:key method. */
export const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

const LOCK = { role: 'button', name: 'Lock', within: 'header' } as const
const UNLOCK = { role: 'button', name: 'Unlock', within: 'header' } as const
const TOKEN = /^[CP][A-Za-z0-9_-]{100,}$/

/** Types a new passphrase twice and waits until it is rated strong enough. */
async function choosePassphrase(page: Page, label: string, passphrase: string, within?: { card: string }) {
  await page.fill(label, passphrase, within)
  await page.fill('Confirm passphrase', passphrase, within)
  await page.sees({ role: 'text', name: /^(Strong|Very strong)\./, ...(within ? { within } : {}) })
}

/** Creates a vault with a passphrase and leaves it open. @returns its address */
export async function makeVault(page: Page, origin: string): Promise<string> {
  await page.tab.open(`${origin}/register`)
  await page.press({ role: 'button', name: 'Continue' })
  const choice = { role: 'radio', name: /^Passphrase/ } as const
  // WebKitGTK has no passkeys, and so there is nothing to choose.
  const none = { role: 'text', name: 'Passkeys can’t unlock a vault in this browser.' } as const
  const { wanted } = await page.sees(choice, none)
  if (wanted === choice) await page.press(choice)
  await choosePassphrase(page, 'Passphrase', PASSPHRASE)
  await page.press({ role: 'button', name: 'Create vault' })
  await page.press({ role: 'button', name: 'Skip for now' })
  await page.sees({ role: 'heading', name: 'Your vault is ready' })
  await page.press({ role: 'button', name: 'Your address and DID' })
  const made = await page.sees({ role: 'text', name: /^kh1[02-9ac-hj-np-z]{38}$/ })
  return made.found.text
}

export async function lock(page: Page): Promise<void> {
  await page.press(LOCK)
  await expectLocked(page)
}

export async function unlock(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.press(UNLOCK)
  await page.fill('Passphrase', passphrase, 'dialog')
  await page.press({ role: 'button', name: 'Unlock', within: 'dialog' })
}

export const expectLocked = (page: Page) => page.sees(UNLOCK)
export const expectUnlocked = (page: Page) => page.sees(LOCK)

/** Goes to a place within the client, so that an open vault stays open. */
export async function visit(page: Page, place: 'Grants' | 'Backup' | 'Check a token'): Promise<void> {
  await page.press({ role: 'link', name: place === 'Backup' ? 'Settings' : place })
  if (place === 'Backup') await page.press({ role: 'button', name: 'Backup and storage' })
}

/** Signs a grant. @returns its token */
export async function grant(page: Page, label: string): Promise<string> {
  await visit(page, 'Grants')
  const within = { card: 'New grant' }
  await page.fill('Who', STRANGER, within)
  await page.fill('What they can do', '/msg/send', within)
  await page.fill('Your name for it', label, within)
  await page.press({ role: 'button', name: 'Sign the grant', within })
  const signed = { card: 'Signed and stored' }
  const token = { role: 'region', name: 'token', within: signed } as const
  await page.disclose({ role: 'button', name: 'Exact token', within: signed }, token)
  const { found } = await page.sees(token)
  expect(found.text).toMatch(TOKEN)
  return found.text
}

/** The verdict that the check page shows for a token. */
export async function check(page: Page, token: string): Promise<string> {
  await visit(page, 'Check a token')
  await page.fill('Token', token)
  const { found } = await page.sees({ role: 'text', name: /^(Valid\.|Do not rely on it\.)/ })
  return found.text
}

export async function revoke(page: Page): Promise<void> {
  await visit(page, 'Grants')
  const within = { card: 'Granted so far' }
  await page.press({ role: 'button', name: 'Revoke…', within })
  await page.press({ role: 'button', name: 'Revoke it for good', within: 'dialog' })
  await page.sees({ role: 'text', name: 'revoked', within })
}

/** Writes a backup. @returns its text */
export async function writeBackup(page: Page): Promise<string> {
  await visit(page, 'Backup')
  const within = { card: 'Create a backup' }
  await page.fill('Passphrase of this vault', PASSPHRASE, within)
  await choosePassphrase(page, 'Passphrase for the file', FILE_PASSPHRASE, within)
  await page.tab.call(rememberFile.toString(), [])
  await page.press({ role: 'button', name: 'Create backup file', within })
  await page.sees({ role: 'text', name: 'Look for the backup file in your downloads.', within })
  const text = await page.tab.call('() => globalThis.writtenFile.text()', [])
  expect(text).toEqual(expect.stringContaining('keyhole'))
  return String(text)
}

/** Runs in the page: a download can't be read from there, so remember the file. */
function rememberFile() {
  const make = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (file: Blob | MediaSource) => {
    Reflect.set(globalThis, 'writtenFile', file)
    return make(file)
  }
}

/** Restores a vault from a backup's text, in the card with this heading. */
export async function restore(page: Page, backup: string, card: string): Promise<void> {
  const within = { card }
  await page.sees({ role: 'heading', name: card })
  await page.tab.call(chooseFile.toString(), [backup])
  await page.sees({ role: 'text', name: /^The file says it’s from/, within })
  await page.fill('Backup passphrase', FILE_PASSPHRASE, within)
  await choosePassphrase(page, 'Passphrase for this browser', PASSPHRASE, within)
  await page.press({ role: 'button', name: 'Restore the vault', within })
}

/** Runs in the page. */
function chooseFile(text: string) {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('The page has no field for a file.')
  const files = new DataTransfer()
  files.items.add(new File([text], 'vault.keyhole.json', { type: 'application/json' }))
  input.files = files.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Deletes a database as a browser with broken files does. Runs in a page without the client. */
export function deleteDatabase(name: string) {
  return new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
  })
}
