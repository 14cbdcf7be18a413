import { devicesOf } from '@keyhole/vault/devices'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import * as synced from '../../shared/vault/is-synced.ts'
import { openClient } from '../../test/open-client.tsx'
import { PASSPHRASE } from '../../test/open-vault.tsx'
import { FILE_PASSPHRASE, press } from '../../test/person.ts'

const { vault, create, load } = openClient()

/** The dialog that removes the account in use. */
async function askToRemove(): Promise<HTMLElement> {
  await load('/register?tab=accounts')
  await press('Remove')
  return await screen.findByRole('alertdialog', { name: /^Remove .* from/ })
}

test('who removes an account is told that it has no backup', async () => {
  await create()
  const dialog = await askToRemove()
  await within(dialog).findByText('No backup yet')
  within(dialog).getByText(/your keys are lost for good/)
})

test('an account on several devices is not called the only copy', async () => {
  await create()
  vi.spyOn(synced, 'isSynced').mockReturnValue(true)
  const dialog = await askToRemove()
  await within(dialog).findByText('No backup yet')
  within(dialog).getByText('Only another device that still has this vault can bring it back.')
  expect(within(dialog).queryByText(/knows of no backup/)).toBeNull()
})

test('a limited device is called the only copy: no other device has its vault', async () => {
  await create()
  vi.spyOn(synced, 'isSynced').mockReturnValue(true)
  const devices = devicesOf(vault())
  const limited = { relay: 'https://vault.example/relay', isRemoved: false }
  const state = { ...(await devices.state()), limited }
  vi.spyOn(devices, 'state').mockResolvedValue(state)
  const dialog = await askToRemove()
  await within(dialog).findByText(/your keys are lost for good/)
  expect(within(dialog).queryByText(/Only another device/)).toBeNull()
})

test('who removes an account with a checked backup is not warned', async () => {
  await create()
  const proof = { passphrase: PASSPHRASE }
  const { text } = await vault().exportVault({ proof, exportPassphrase: FILE_PASSPHRASE })
  await vault().backups.verify({ text, exportPassphrase: FILE_PASSPHRASE })
  const health = vi.spyOn(vault().backups, 'health')
  const dialog = await askToRemove()
  await waitFor(() => expect(health).toHaveBeenCalled())
  await health.mock.results.at(-1)?.value
  await within(dialog).findByText(/^All of it is deleted from this browser/)
  expect(within(dialog).queryByRole('status')).toBeNull()
  // What the file doesn't have is told.
  await vault().keys.generate()
  await within(dialog).findByRole('status')
})

test('a locked account says that its backup is unknown', async () => {
  await create()
  await vault().lock()
  const dialog = await askToRemove()
  await within(dialog).findByText('Keyhole can’t tell whether it has a backup')
  within(dialog).getByText('Open and unlock it to see.')
})
