import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { PASSPHRASE } from '../../test/open-vault.tsx'
import {
  card,
  choosePassphrase,
  expectUnlocked,
  fill,
  header,
  lockByHand,
  openTab,
  openUnlockDialog,
  press,
} from '../../test/person.ts'

const { vault, load, reload, address } = openClient()

/** Makes a vault by the form. @returns its recovery code, as it is shown */
async function makeVault(name: string): Promise<string> {
  await fill('Name', name)
  await choosePassphrase('Passphrase', PASSPHRASE)
  const code = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Make a recovery code/ })
  if (!code.checked) fireEvent.click(code)
  await press('Create the vault')
  await card('Your vault is ready')
  return screen.getByLabelText('Recovery code').textContent ?? ''
}

test('a weak passphrase is turned down with its reasons', async () => {
  await load('/register')
  await fill('Name', 'Personal')
  await fill('Passphrase', 'short')
  expect(await screen.findByText(/At least 12 characters: 7 more\./)).toBeDefined()
  await fill('Passphrase', 'passwordpassword')
  await fill('The same again', 'passwordpassword')
  expect(await screen.findByText(/^(Very weak|Weak)\./)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Create the vault' })).toHaveProperty('disabled', true)
  await fill('The same again', 'something else')
  expect(await screen.findByText('The two are not the same yet.')).toBeDefined()
})

test('a recovery code is given back, and opens the vault however it is typed', async () => {
  await load('/register')
  const code = await makeVault('Personal')
  const keep = await card('Keep your recovery code')
  await press('I have kept it', keep)
  expect(await within(keep).findByText('Type or paste the code from where you keep it.')).toBeDefined()
  await fill('Type or paste it back', `${code}0`, keep)
  await press('I have kept it', keep)
  expect(await within(keep).findByText(/This is not the code above/)).toBeDefined()
  await fill('Type or paste it back', code, keep)
  await press('I have kept it', keep)
  expect(await screen.findByText('The recovery code is kept.')).toBeDefined()
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

test('going elsewhere loses nothing of a new vault', async () => {
  await load('/register?tab=create&from=nothing')
  await fill('Name', 'Personal')
  fireEvent.click(screen.getByRole('checkbox', { name: /^Make a recovery code/ }))
  await openTab('Restore')
  fireEvent.click(screen.getByRole('radio', { name: /^A recovery code/ }))
  expect(await screen.findByRole('heading', { name: 'What a recovery code opens' })).toBeDefined()
  await openTab('Create')
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Personal')
  const box = screen.getByRole('checkbox', { name: /^Make a recovery code/ })
  expect(box).toHaveProperty('checked', false)

  const code = await makeVault('Personal')
  const steps = screen.getByRole('list', { name: 'Steps' })
  const step = within(steps).getByText('Recovery code').closest('li')
  expect(step?.getAttribute('aria-current')).toBe('step')
  fireEvent.click(screen.getAllByRole('link', { name: 'Home' })[0] ?? expect.fail())
  fireEvent.click(await screen.findByRole('link', { name: 'Keep the code' }))
  expect((await screen.findByLabelText('Recovery code')).textContent).toBe(code)
  await press('Later: take me to the next step')
  expect(await card('Make a backup now')).toBeDefined()
  await press('Show it')
  await fill('Type or paste it back', code)
  await press('I have kept it')
  expect(await screen.findByText('The recovery code is kept.')).toBeDefined()
  expect(screen.queryByText(code)).toBeNull()
})

test('locking puts a code away that was not given back, and says so until there is another', async () => {
  const unconfirmed = /^Nobody has confirmed that the recovery code was kept/
  await load('/register')
  await makeVault('Another')
  await lockByHand()
  expect(await screen.findByText(/^The recovery code was put away when the vault locked\./)).toBeDefined()
  expect(screen.queryByLabelText('Recovery code')).toBeNull()
  fireEvent.click(screen.getAllByRole('link', { name: 'Home' })[0] ?? expect.fail())
  await waitFor(() => expect(address()).toBe('/'))
  // It is sealed with the account.
  expect(screen.queryByText(unconfirmed)).toBeNull()
  await vault().unlock(PASSPHRASE)
  expect(await screen.findByText(unconfirmed)).toBeDefined()
  await reload()
  await within(header()).findByRole('button', { name: 'Unlock' })
  await vault().unlock(PASSPHRASE)
  expect(await screen.findByText(unconfirmed)).toBeDefined()
  fireEvent.click(screen.getByRole('link', { name: 'Make a new one' }))
  const tab = await screen.findByRole('tab', { name: 'Unlock' })
  expect(tab.getAttribute('aria-selected')).toBe('true')
})

test.each(['create', 'restore'])(
  '%s: where nothing can be stored it is said before a passphrase is typed',
  async (tab) => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError')
    })
    await load(`/register?tab=${tab}`)
    expect(await screen.findByText("This browser can't save a vault right now.")).toBeDefined()
    expect(screen.queryByLabelText(/passphrase/i)).toBeNull()
  },
)
