import { i18n } from '@lingui/core'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readSetup } from '../../features/account/setup.ts'
import { loadGerman } from '../../test/german.ts'
import { openClient } from '../../test/open-client.tsx'
import { PASSPHRASE } from '../../test/open-vault.tsx'
import {
  card,
  chooseFile,
  choosePassphrase,
  expectUnlocked,
  fill,
  header,
  lockByHand,
  OTHER_PASSPHRASE,
  openTab,
  openUnlockDialog,
  press,
  sees,
} from '../../test/person.ts'

const { vault, load, reload, address } = openClient()

/** Goes through the first two steps. @returns the recovery code, as it is shown */
async function makeVault(name?: string): Promise<string> {
  if (name !== undefined) await fill('Name', name)
  await press('Continue')
  await choosePassphrase('Passphrase', PASSPHRASE)
  await press('Create vault')
  await card('Save your recovery code')
  return screen.getByLabelText('Recovery code').textContent ?? ''
}

/** The step that the page says it is at. */
const stepNow = () => document.querySelector('[aria-current=step]')?.textContent

/** What the page says of a step. */
const stepSaid = (name: string) =>
  screen.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(name))?.textContent

/** What the page hands out as a file. */
function downloads(): Blob[] {
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:nothing'
  })
  return files
}

/** A browser with passkeys. */
function hasPasskeys(type: object = {}): void {
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, type),
  )
  vi.spyOn(navigator, 'credentials', 'get').mockReturnValue({ create: () => {} } as never)
  onTestFinished(() => void vi.unstubAllGlobals())
}

test.each([
  ['a browser without passkeys', () => {}],
  [
    'a browser whose passkeys open no vault',
    () => hasPasskeys({ getClientCapabilities: async () => ({ 'extension:prf': false }) }),
  ],
])('%s says so, and asks for a passphrase', async (_browser, begin) => {
  begin()
  await load('/register')
  await press('Continue')
  await sees('Passkeys can’t unlock a vault in this browser.')
  expect(screen.queryByRole('radio')).toBeNull()
  await choosePassphrase('Passphrase', PASSPHRASE)
  await press('Create vault')
  await card('Save your recovery code')
})

test('a browser with passkeys offers them', async () => {
  hasPasskeys()
  await load('/register')
  await press('Continue')
  expect(await screen.findByRole('radio', { name: /^Passkey/, checked: true })).toBeDefined()
  expect(screen.queryByText('Passkeys can’t unlock a vault in this browser.')).toBeNull()
})

test('a weak passphrase is turned down with its reasons', async () => {
  await load('/register')
  await press('Continue')
  await fill('Passphrase', 'short')
  expect(await screen.findByText(/At least 12 characters: 7 more\./)).toBeDefined()
  await fill('Passphrase', 'passwordpassword')
  await fill('Confirm passphrase', 'passwordpassword')
  expect(await screen.findByText(/^(Very weak|Weak)\./)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Create vault' })).toHaveProperty('disabled', true)
  await fill('Confirm passphrase', 'something else')
  expect(await screen.findByText('The two don’t match yet.')).toBeDefined()
})

test('a suggested passphrase is shown, filled in twice, and opens the vault', async () => {
  await load('/register')
  await press('Continue')
  await press('Suggest a passphrase')
  expect(await screen.findByText(/^(Strong|Very strong)\./)).toBeDefined()
  const field = screen.getByLabelText<HTMLInputElement>('Passphrase')
  expect(field.type).toBe('text')
  const passphrase = field.value
  expect(screen.getByLabelText('Confirm passphrase')).toHaveProperty('value', passphrase)
  await press('Create vault')
  await card('Save your recovery code')
  expect(vault().getSnapshot().label).toBe('Personal')
  await vault().lock()
  await vault().unlock(passphrase)
})

test('the name is filled in, can be changed, and cannot be left empty', async () => {
  await load('/register')
  const name = await screen.findByLabelText('Name')
  expect(stepNow()).toContain('Name')
  expect(name).toHaveProperty('value', 'Personal')
  await fill('Name', '  ')
  await press('Continue')
  expect(await screen.findByText('Enter a name.')).toBeDefined()
  await fill('Name', 'Work')
  await press('Continue')
  expect(stepNow()).toContain('Unlock')
  await press('Back')
  expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'Work')
  await makeVault()
  expect(vault().getSnapshot().label).toBe('Work')
  expect(stepNow()).toContain('Recovery code')
})

test('a name that was filled in stays once its field has the focus, whichever language comes', async () => {
  await load('/register')
  const name = await screen.findByLabelText<HTMLInputElement>('Name')
  await loadGerman()
  const speak = (language: 'de' | 'en') => act(() => i18n.activate(language))
  onTestFinished(() => speak('en'))
  speak('de')
  expect(name.value).toBe('Privat')
  speak('en')
  act(() => name.focus())
  speak('de')
  expect(name.value).toBe('Personal')
})

test('a recovery code is given back, and opens the vault however it is typed', async () => {
  await load('/register')
  const code = await makeVault()
  const keep = await card('Save your recovery code')
  await press('I’ve saved it', keep)
  expect(await within(keep).findByText('Paste the code from where you saved it.')).toBeDefined()
  await fill('Paste it back', `${code}0`, keep)
  await press('I’ve saved it', keep)
  expect(await within(keep).findByText(/That isn’t the code above/)).toBeDefined()
  await fill('Paste it back', code, keep)
  await press('I’ve saved it', keep)
  expect(await card('Create a backup file')).toBeDefined()
  expect(screen.queryByText(code)).toBeNull()

  await reload()
  const dialog = await openUnlockDialog()
  await press('Use the recovery code instead', dialog)
  await fill('Recovery code', code.slice(0, -2), dialog)
  await press('Unlock', dialog)
  await waitFor(() => expect(within(dialog).getByRole('alert').textContent).toMatch(/characters|mistyped/))
  await fill('Recovery code', ` ${code.toLowerCase().replaceAll('-', ' ')}`, dialog)
  await press('Unlock', dialog)
  await expectUnlocked()
})

test('the first backup asks for nothing: the code opens it, and it is checked from where it was saved', async () => {
  const files = downloads()
  await load('/register')
  const code = await makeVault()
  await fill('Paste it back', code)
  await press('I’ve saved it')
  const step = await card('Create a backup file')
  expect(within(step).queryByLabelText(/passphrase/i)).toBeNull()
  await press('Create backup file', step)
  expect(await screen.findByText('Look for the backup file in your downloads.')).toBeDefined()
  const file = files[0] ?? expect.fail('Nothing was saved.')
  // A download that was lost can be saved again, and no one takes the file as checked.
  expect(within(step).queryByRole('button', { name: 'Continue' })).toBeNull()
  await press('Save it again', step)
  expect(files).toEqual([file, file])
  expect(await screen.findByText('The download started again')).toBeDefined()
  chooseFile(step, 'mine.keyhole.json', '{"format":"keyhole-backup-v2","address":"kh1","data":"AAAA"}')
  expect(await within(step).findByRole('alert')).toBeDefined()
  expect(readSetup()?.recoveryCode).toBe(code)
  chooseFile(step, 'mine.keyhole.json', file)
  expect(await screen.findByText('The file opens, and nothing is missing.')).toBeDefined()
  expect(readSetup()?.recoveryCode).toBeUndefined()
  await press('Continue')
  expect(await card('Your vault is ready')).toBeDefined()
  expect(screen.queryByText(/only in this browser|not checked/)).toBeNull()
  expect(stepSaid('Backup')).toContain('(done)')

  const { address = '' } = vault().getSnapshot()
  await vault().accounts.remove(address)
  await vault().importVault({ text: file, recoveryCode: code, passphrase: OTHER_PASSPHRASE })
  expect(vault().getSnapshot()).toMatchObject({ address, label: 'Personal' })
})

test('a first backup that was not checked is checked where a code can be typed, and only of an open vault', async () => {
  downloads()
  await load('/register')
  const code = await makeVault()
  await fill('Paste it back', code)
  await press('I’ve saved it')
  await press('Create backup file', await card('Create a backup file'))
  expect(await screen.findByText('Look for the backup file in your downloads.')).toBeDefined()
  await lockByHand()
  await card('Your vault is ready')
  await vault().unlock(PASSPHRASE)
  const step = await card('Check your backup file')
  expect(within(step).getByRole('link', { name: 'Check it' })).toBeDefined()
  await press('Continue without checking', step)
  const ready = await card('Your vault is ready')
  expect(await within(ready).findByText('The backup was not checked')).toBeDefined()
  expect(stepSaid('Backup')).toContain('(not checked)')
  await lockByHand()
  await waitFor(() => expect(screen.queryByText('The backup was not checked')).toBeNull())
  await vault().unlock(PASSPHRASE)
  fireEvent.click(await screen.findByRole('link', { name: 'Check it' }))
  expect(await card('Check a backup')).toBeDefined()
})

test('after a lock the first backup asks who is there', async () => {
  const files = downloads()
  await load('/register')
  const code = await makeVault()
  await fill('Paste it back', code)
  await press('I’ve saved it')
  await card('Create a backup file')
  await lockByHand()
  await vault().unlock(PASSPHRASE)
  const step = await card('Create a backup file')
  await press('Create backup file', step)
  expect(await within(step).findByText('Type the passphrase of this vault.')).toBeDefined()
  expect(files).toEqual([])
  await fill('Passphrase', PASSPHRASE, step)
  await press('Create backup file', step)
  expect(await screen.findByText('Look for the backup file in your downloads.')).toBeDefined()
  expect(files).toHaveLength(1)
})

test('what was skipped is kept on Home, and can be taken up again', async () => {
  await load('/register?tab=create&from=nothing')
  await fill('Name', 'Holiday')
  await openTab('Restore')
  fireEvent.click(await screen.findByRole('radio', { name: /^A recovery code/ }))
  expect(await screen.findByRole('heading', { name: 'With a backup file, or in this browser' })).toBeDefined()
  await openTab('Create')
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Holiday')

  const code = await makeVault()
  await press('Skip for now')
  const ready = await card('Your vault is ready')
  expect(within(ready).getByText('Your recovery code isn’t saved yet.')).toBeDefined()
  expect(within(ready).getByText(/There’s no backup file yet either\./)).toBeDefined()
  expect(screen.queryByText(code)).toBeNull()
  fireEvent.click((await screen.findAllByRole('link', { name: 'Home' }))[0] ?? expect.fail())
  expect(await screen.findByText('No backup yet')).toBeDefined()
  fireEvent.click(await screen.findByRole('link', { name: 'Save the code' }))
  expect((await screen.findByLabelText('Recovery code')).textContent).toBe(code)
  await fill('Paste it back', code)
  await press('I’ve saved it')
  await card('Create a backup file')
  await press('Skip for now')
  await press('Back up now', await card('Your vault is ready'))
  expect(await card('Create a backup file')).toBeDefined()
})

test('locking puts a code away that was not given back, and says so until there is another', async () => {
  const unconfirmed = 'Create a new one'
  await load('/register')
  await makeVault('Another')
  await lockByHand()
  expect(await screen.findByText('The vault locked before you saved your recovery code.')).toBeDefined()
  expect(screen.queryByLabelText('Recovery code')).toBeNull()
  fireEvent.click((await screen.findAllByRole('link', { name: 'Home' }))[0] ?? expect.fail())
  await waitFor(() => expect(address()).toBe('/'))
  // It is sealed with the account.
  expect(screen.queryByRole('link', { name: unconfirmed })).toBeNull()
  await vault().unlock(PASSPHRASE)
  expect(await screen.findByRole('link', { name: unconfirmed })).toBeDefined()
  await reload()
  await within(header()).findByRole('button', { name: 'Unlock' })
  await vault().unlock(PASSPHRASE)
  fireEvent.click(await screen.findByRole('link', { name: unconfirmed }))
  const section = await screen.findByRole('button', { name: 'Unlocking' })
  expect(section.getAttribute('aria-expanded')).toBe('true')
})

test.each(['create', 'restore'])(
  '%s: where nothing can be stored it is said before a passphrase is typed',
  async (tab) => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError')
    })
    await load(`/register?tab=${tab}`)
    expect(await screen.findByText('This browser can’t save a vault right now.')).toBeDefined()
    expect(screen.queryByLabelText(/passphrase/i)).toBeNull()
  },
)
