import { devicesOf } from '@keyhole/vault/devices'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openDropped } from '../../shared/backup-file/dropped.ts'
import { openClient } from '../../test/open-client.tsx'
import { PASSPHRASE, STRANGER } from '../../test/open-vault.tsx'
import {
  card,
  chooseFile,
  choosePassphrase,
  FILE_PASSPHRASE,
  fill,
  OTHER_PASSPHRASE,
  press,
} from '../../test/person.ts'

const { vault, create, load, reload } = openClient()

const OWN = 'Passphrase for this browser'

async function backupFile(): Promise<Blob> {
  const proof = { passphrase: PASSPHRASE }
  return (await vault().exportVault({ proof, exportPassphrase: FILE_PASSPHRASE })).file
}

async function loadForm(): Promise<HTMLElement> {
  await load('/register?tab=restore')
  return await card('Restore from a backup')
}

async function chooseBackup(form: HTMLElement, file: Blob): Promise<void> {
  chooseFile(form, 'mine.keyhole.json', file)
  await within(form).findByText(/^The file says it’s from/)
}

test('whoever goes on while the file is read is left where they are', async () => {
  await create()
  const file = await backupFile()
  await vault().accounts.remove(vault().getSnapshot().address ?? '')
  const form = await loadForm()
  let read = () => {}
  const reading = new Promise<void>((resolve) => {
    read = resolve
  })
  const { text } = Blob.prototype
  vi.spyOn(Blob.prototype, 'text').mockImplementation(async function (this: Blob) {
    await reading
    return await text.call(this)
  })
  chooseFile(form, 'mine.keyhole.json', file)
  const own = within(form).getByLabelText<HTMLInputElement>(OWN)
  own.focus()
  read()
  expect(await within(form).findByText(/^The file says it’s from/)).toBeDefined()
  expect(document.activeElement).toBe(own)
})

test('a file that is not a backup is refused in words', async () => {
  const form = await loadForm()
  for (const [text, problem] of [
    ['{"not": "a backup"}', /“holiday\.json” isn’t a Keyhole backup/],
    ['{"format":"keyhole-backup-v2","address":"kh1', /“holiday\.json” is cut off/],
  ] as const) {
    chooseFile(form, 'holiday.json', text)
    expect(await within(form).findByText(problem)).toBeDefined()
  }
  // What only its seal tells: it looks like one to the end.
  chooseFile(form, 'holiday.json', '{"format":"keyhole-backup-v2","address":"kh1","data":"AAAA"}')
  await waitFor(() => expect(within(form).queryByRole('alert')).toBeNull())
  await fill('Backup passphrase', FILE_PASSPHRASE, form)
  await choosePassphrase(OWN, OTHER_PASSPHRASE, form)
  await press('Restore the vault', form)
  await waitFor(() => expect(within(form).getByRole('alert').textContent).toMatch(/backup/i))
  expect(within(form).getByText(/holiday\.json/)).toBeDefined()
  expect(vault().getSnapshot().phase).toBe('empty')
})

test('a backup of an account that is here is merged, and never promises another passphrase', async () => {
  await create()
  const file = await backupFile()
  await vault().lock()
  const form = await loadForm()
  await chooseBackup(form, file)
  expect(within(form).getByText('That vault is already in this browser, and it’s locked.')).toBeDefined()
  expect(within(form).getByLabelText(OWN).closest('[hidden]')).not.toBeNull()
  expect(within(form).getByRole('button', { name: 'Merge backup' })).toHaveProperty('disabled', true)
  await vault().unlock(PASSPHRASE)
  expect(await within(form).findByText(/^That vault is open here\./)).toBeDefined()
  await fill('Backup passphrase', FILE_PASSPHRASE, form)
  await press('Merge backup', form)
  expect(await screen.findByText('Your vault is back, and open.')).toBeDefined()
  expect(screen.queryByText('For now, only the passphrase you just chose opens it')).toBeNull()
})

test('a recovery code opens a backup file', async () => {
  const code = (await create({ recoveryCode: true })) ?? expect.fail('No recovery code was made.')
  const { address = '' } = vault().getSnapshot()
  const file = await backupFile()
  await vault().accounts.remove(address)
  const form = await loadForm()
  await chooseBackup(form, file)
  await press('Use the recovery code instead', form)
  await choosePassphrase(OWN, OTHER_PASSPHRASE, form)
  await fill('Recovery code', `${code.slice(0, -1)}!`, form)
  await press('Restore the vault', form)
  expect(await within(form).findByText(/mistyped/)).toBeDefined()
  await fill('Recovery code', code.toLowerCase().replaceAll('-', ' '), form)
  await press('Restore the vault', form)
  expect(await screen.findByText('Your vault is back, and open.')).toBeDefined()
  expect(vault().getSnapshot()).toMatchObject({ address, phase: 'unlocked' })
})

test('a recovery code alone is asked of this site’s relay, and a refusal changes nothing', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url).pathname)
    return Response.json({ error: 'not_found' }, { status: 404 })
  })
  await load('/register?tab=restore&from=code')
  const form = await card('With the code alone')
  await press('Open the vault', form)
  expect(await within(form).findByText('Type the code from your sheet.')).toBeDefined()
  await fill('Recovery code', '0000-0000-0000-0000-0000-0000-000', form)
  await press('Open the vault', form)
  expect(await within(form).findByText('The server of this site keeps nothing for devices.')).toBeDefined()
  expect(asked).toEqual(['/relay/records/read'])
  expect(vault().getSnapshot().phase).toBe('empty')
  vi.unstubAllGlobals()
  // Both ways are offered.
  await press('I have a backup file too')
  expect(await card('Restore from a backup')).toBeDefined()
})

test('once the code alone has brought the vault, only that is shown', async () => {
  const account = { address: 'kh1', active: true }
  const recover = vi.spyOn(devicesOf(vault()), 'recover').mockResolvedValue(account)
  await load('/register?tab=restore&from=code')
  const form = await card('With the code alone')
  await fill('Recovery code', '0000-0000-0000-0000-0000-0000-000', form)
  await press('Open the vault', form)
  expect(await screen.findByText('Your vault is on this device now.')).toBeDefined()
  expect(recover).toHaveBeenCalledOnce()
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.queryByRole('heading', { name: 'With a backup file, or in this browser' })).toBeNull()
  recover.mockRestore()
})

test('a file without a passphrase asks for the recovery code at once', async () => {
  const code = (await create({ recoveryCode: true })) ?? expect.fail('No recovery code was made.')
  const { address = '' } = vault().getSnapshot()
  const { file } = await vault().exportVault({ proof: { passphrase: PASSPHRASE } })
  await vault().accounts.remove(address)
  const form = await loadForm()
  await chooseBackup(form, file)
  const field = within(form).getByLabelText('Recovery code')
  expect(document.activeElement).toBe(field)
  expect(within(form).queryByLabelText('Backup passphrase')).toBeNull()
  expect(within(form).queryByRole('button', { name: /instead$/ })).toBeNull()
  await choosePassphrase(OWN, OTHER_PASSPHRASE, form)
  await fill('Recovery code', ` ${code.toLowerCase().replaceAll('-', '')}`, form)
  await press('Restore the vault', form)
  expect(await screen.findByText('Your vault is back, and open.')).toBeDefined()
  expect(vault().getSnapshot()).toMatchObject({ address, phase: 'unlocked' })
})

test('a backup that is dropped anywhere is in the form at once, whatever the form showed', async () => {
  await create()
  const file = new File([await backupFile()], 'mine.keyhole.json')
  const form = await loadForm()
  const openForm = vi.fn()
  await openDropped([new File(['x'], 'holiday.jpg'), file], openForm)
  expect(await within(form).findByText(/^That vault is open here\./)).toBeDefined()
  expect(openForm).not.toHaveBeenCalled()
  fireEvent.click(await screen.findByRole('radio', { name: /^A recovery code/ }))
  await openDropped([file], openForm)
  expect(await screen.findByRole('radio', { name: /^A backup file/, checked: true })).toBeDefined()
})

test('a backup waits for the form where the page has none', async () => {
  await create()
  const file = new File([await backupFile()], 'mine.keyhole.json')
  const openForm = vi.fn()
  await openDropped([file], openForm)
  expect(openForm).toHaveBeenCalledOnce()
  const form = await loadForm()
  expect(await within(form).findByText(/^That vault is open here\./)).toBeDefined()
})

test('a vault that nothing unlocks any more is opened by its backup, under a new passphrase', async () => {
  await create()
  const grant = (label: string) =>
    vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send', label })
  await grant('Holiday mails')
  const file = await backupFile()
  await grant('Afterwards')
  await vault().lock()
  const form = await loadForm()
  await chooseBackup(form, file)
  await fill('Backup passphrase', FILE_PASSPHRASE, form)
  fireEvent.click(await within(form).findByRole('checkbox', { name: /^I can’t unlock it any more/ }))
  await choosePassphrase(OWN, OTHER_PASSPHRASE, form)
  await press('Open the vault', form)
  expect(await screen.findByText('Your vault is back, and open.')).toBeDefined()
  await reload()
  await waitFor(() => expect(vault().getSnapshot().phase).toBe('locked'))
  await vault().unlock(OTHER_PASSPHRASE)
  expect((await vault().tokens.list()).map(({ label }) => label).sort()).toEqual([
    'Afterwards',
    'Holiday mails',
  ])
})

const PHRASE = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

test('a phrase becomes the first key of a new vault, at a path that can be changed', async () => {
  await load('/register?tab=restore')
  fireEvent.click(await screen.findByRole('radio', { name: /^A key you already have/ }))
  const form = await card('Start with a key you already have')
  await fill('Key or phrase', PHRASE.replace('about', 'abandon'), form)
  await press('Check this key', form)
  expect((await within(form).findByRole('alert')).textContent).not.toBe('')
  await fill('Key or phrase', PHRASE, form)
  await press('Check this key', form)
  expect(await within(form).findByText('Is this the right key?')).toBeDefined()
  expect(within(form).getByLabelText('Path')).toHaveProperty('value', "m/44'/0'/0'")
  const first = within(form).getByText(/^did:key:z6Mk/).textContent
  await fill('Path', "m/44'/0'/1'", form)
  await waitFor(() => expect(within(form).queryByText('Is this the right key?')).toBeNull())
  await press('Check this key', form)
  const did = (await within(form).findByText(/^did:key:z6Mk/)).textContent
  expect(did).not.toBe(first)
  await fill('Name', 'Old wallet', form)
  await press('Continue', form)
  await choosePassphrase('Passphrase', PASSPHRASE, form)
  await press('Create vault', form)
  expect(await card('Save your recovery code')).toBeDefined()
  expect(vault().getSnapshot()).toMatchObject({ label: 'Old wallet', keys: [{ did }] })
})
