import type { StorageHealth } from '@keyhole/vault'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'
import { PASSPHRASE, STRANGER } from '../../../test/open-vault.tsx'
import { card, chooseFile, FILE_PASSPHRASE, fill, openSection, press, visit } from '../../../test/person.ts'

const { vault, create, load, address } = openClient()

const grant = (label: string) => vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send', label })

/** A backup of the account as it is, past the pages. */
async function backupFile(): Promise<Blob> {
  const proof = { passphrase: PASSPHRASE }
  return (await vault().exportVault({ proof, exportPassphrase: FILE_PASSPHRASE })).file
}

async function chooseBackup(scope: HTMLElement, file: Blob): Promise<void> {
  chooseFile(scope, 'mine.keyhole.json', file)
  await within(scope).findByText(/^The file says it’s from/)
}

const labels = async () => (await vault().tokens.list()).map(({ label }) => label).sort()

test('a backup is merged into the account it is of, and loses nothing', async () => {
  await create()
  await grant('Before')
  const file = await backupFile()
  await grant('After')
  await load('/identity?tab=backup')
  const form = await card('Merge a backup')
  await chooseBackup(form, file)
  expect(within(form).getByText(/That vault is in this browser\./)).toBeDefined()
  await fill('Backup passphrase', FILE_PASSPHRASE, form)
  await press('Merge backup', form)
  expect(await within(form).findByText(/nothing was lost/)).toBeDefined()
  expect(await labels()).toEqual(['After', 'Before'])
})

test('a key that was deleted stays deleted when an older backup is merged, unless it is asked for', async () => {
  await create()
  const phone = await vault().generateKey({ label: 'Phone' })
  const file = await backupFile()
  await vault().deleteKey(phone.key_id)
  await load('/identity?tab=backup')
  const form = await card('Merge a backup')
  const merge = async () => {
    await chooseBackup(form, file)
    await fill('Backup passphrase', FILE_PASSPHRASE, form)
    await press('Merge backup', form)
  }
  await merge()
  expect(await within(form).findByText(/^One key in the file stays deleted/)).toBeDefined()
  expect(vault().getSnapshot().keys).toHaveLength(1)
  fireEvent.click(await within(form).findByRole('checkbox', { name: /^Bring deleted keys back/ }))
  await merge()
  expect(await within(form).findByText(/New: 1 key/)).toBeDefined()
  expect(
    vault()
      .getSnapshot()
      .keys.map(({ label }) => label),
  ).toContain('Phone')
})

test('the reminder goes when the backup was checked, not when it was written', async () => {
  await create()
  await load('/')
  expect(await screen.findByText('No backup yet')).toBeDefined()
  const file = await backupFile()
  expect(await screen.findByText('The backup was not checked')).toBeDefined()

  fireEvent.click(await screen.findByRole('link', { name: 'Check it' }))
  const check = await card('Check a backup')
  await chooseBackup(check, file)
  await fill('Backup passphrase', 'certainly not this one', check)
  await press('Check the file', check)
  expect(await within(check).findByText('This passphrase does not open it.')).toBeDefined()
  await fill('Backup passphrase', FILE_PASSPHRASE, check)
  await press('Check the file', check)
  const whole = 'The file opens, and everything in this vault is in it.'
  expect(await within(check).findByText(whole)).toBeDefined()
  fireEvent.click((await screen.findAllByRole('link', { name: 'Home' }))[0] ?? expect.fail())
  expect(await card('Active grants')).toBeDefined()
  await waitFor(() => expect(screen.queryByText(/^(No backup yet|The backup )/)).toBeNull())

  await grant('Another')
  expect(await screen.findByText('The backup is older than the vault')).toBeDefined()
  visit('Settings')
  await openSection('Backup and storage')
  const again = await card('Check a backup')
  await chooseBackup(again, file)
  await fill('Backup passphrase', FILE_PASSPHRASE, again)
  await press('Check the file', again)
  expect(await within(again).findByText(/It’s missing one token that you have now/)).toBeDefined()
  expect(address()).toBe('/identity?tab=backup')
})

/** RFC 8410, section 10.3: an Ed25519 private key in PKCS#8. */
const PKCS8 =
  '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n'
/** RFC 8037, appendix A.1. */
const JWK = JSON.stringify({
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
})

test.each([
  ['PKCS#8', PKCS8],
  ['a JWK', JWK],
])('a key from elsewhere, %s: shown, then brought in, and twice is once', async (_kind, text) => {
  await create()
  await load('/identity?tab=backup')
  const form = await card('Import a key')
  await press('Check this key', form)
  expect(await within(form).findByText(/Paste the key or the phrase first/)).toBeDefined()
  await fill('Key or phrase', text, form)
  await press('Check this key', form)
  expect(await within(form).findByText('Is this the right key?')).toBeDefined()
  expect(within(form).getByText('Ed25519')).toBeDefined()
  const did = within(form).getByText(/^did:key:z6Mk/).textContent
  await fill('Name of the key', 'From before', form)
  await press('Import this key', form)
  expect(await within(form).findByText('The key is in this vault.')).toBeDefined()
  expect(within(form).getByLabelText('Key or phrase')).toHaveProperty('value', '')
  expect(vault().getSnapshot().keys).toMatchObject([{}, { label: 'From before', did }])

  await fill('Key or phrase', text, form)
  await press('Check this key', form)
  expect(await within(form).findByText('This vault has this key already.')).toBeDefined()
  expect(within(form).queryByRole('button', { name: 'Import this key' })).toBeNull()
})

test('a text that is not a key is refused in words, and changes nothing', async () => {
  await create()
  await load('/identity?tab=backup')
  const form = await card('Import a key')
  await fill('Key or phrase', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', form)
  await press('Check this key', form)
  expect((await within(form).findByRole('alert')).textContent).not.toBe('')
  expect(within(form).queryByRole('button', { name: 'Import this key' })).toBeNull()
  expect(vault().getSnapshot().keys).toHaveLength(1)
})

test.each<[string, StorageHealth, string]>([
  ['twice', { persisted: true, mirror: 'whole' }, 'Your vault is saved twice in this browser'],
  [
    'only once, where there is no place for a second copy',
    { persisted: true, mirror: 'unavailable', why: 'unsupported' },
    'Your vault is saved only once in this browser',
  ],
])('the storage says that the vault is saved %s', async (_often, health, words) => {
  await create()
  vi.spyOn(vault().accounts, 'storageHealth').mockResolvedValue(health)
  await load('/identity?tab=backup')
  const storage = await card('Storage in this browser')
  await waitFor(() => expect(storage.textContent).toContain(words))
})
