import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'
import { card, choose, chooseFile, confirm, fill, press } from '../../../test/person.ts'

const { vault, create, load } = openClient()

const told = async (scope: HTMLElement, name: string) =>
  (await within(scope).findByRole('region', { name })).textContent?.trim() ?? ''

test('a text is signed, and a stranger verifies it', async () => {
  await create()
  await load('/identity?tab=keys')
  const sign = await card('Sign')
  await press('Sign', sign)
  expect(await within(sign).findByText('Type a text or choose a file to sign.')).toBeDefined()
  await fill('Text to sign', 'The boiler was serviced today. ✓', sign)
  await press('Sign', sign)
  const signature = await told(sign, 'signature')
  expect(signature).toMatch(/^[A-Za-z0-9_-]{86}$/)
  const signer = vault().getSnapshot().issuerDid ?? ''
  // Another account, which knows nothing of the first.
  await create({ label: 'Stranger' })
  const verify = await card('Check a signature')
  await fill('Text that was signed', 'The boiler was serviced today. ✓', verify)
  await fill('Signature', signature, verify)
  await fill('Signed by', signer, verify)
  await press('Check signature', verify)
  expect(await within(verify).findByText('The signature is valid.')).toBeDefined()
  expect(verify.textContent).toContain(' exactly as shown.')
})

test('a file is signed and verified, by keys of every type', async () => {
  await create()
  await load('/identity?tab=keys')
  for (const [type, name] of [
    ['P-256', 'Work'],
    ['secp256k1', 'Chain'],
  ] as const) {
    await press('New key')
    const dialog = await screen.findByRole('dialog', { name: 'New key' })
    await choose('Type', type, dialog)
    await fill('Name', name, dialog)
    await press('Create key', dialog)
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New key' })).toBeNull())
    expect(await within(await card('Your keys')).findByText(name)).toBeDefined()
  }
  const bytes = new Uint8Array([0, 255, 1, 254, 2])
  for (const name of [/^Key 1 /, 'Work', 'Chain']) {
    const sign = await card('Sign')
    chooseFile(sign, 'plan.bin', bytes)
    // What was signed before is gone once this one is read.
    await waitFor(() => expect(within(sign).queryByText(/^Signed “plan\.bin”/)).toBeNull())
    expect(await within(sign).findByText(/^plan\.bin, /)).toBeDefined()
    await choose('Signed with', name, sign)
    await press('Sign', sign)
    expect(await within(sign).findByText(/^Signed “plan\.bin”/)).toBeDefined()
    const [signature, signer] = [await told(sign, 'signature'), await told(sign, 'signer')]
    const verify = await card('Check a signature')
    chooseFile(verify, 'plan.bin', bytes)
    expect(await within(verify).findByText(/^plan\.bin, /)).toBeDefined()
    await fill('Signature', signature, verify)
    await fill('Signed by', signer, verify)
    await press('Check signature', verify)
    expect(await within(verify).findByText('The signature is valid.')).toBeDefined()
    expect(verify.textContent).toContain(' exactly as shown.')
  }
})

test('keys are renamed, made the default and deleted; the first one stays', async () => {
  await create()
  await load('/identity?tab=keys')
  const keys = await card('Your keys')
  await press('New key')
  const dialog = await screen.findByRole('dialog', { name: 'New key' })
  await fill('Name', 'Spare', dialog)
  await press('Create key', dialog)
  const itemOf = async (name: string) =>
    (await within(keys).findByText(name)).closest('li') ?? expect.fail(`${name} is in no list.`)
  await press('Make it the default', await itemOf('Spare'))
  expect(await within(await itemOf('Spare')).findByText('default')).toBeDefined()
  await press('Rename Spare', keys)
  await fill('Name of the key', 'Phone', keys)
  await press('Save', keys)
  const phone = await itemOf('Phone')

  const first = await itemOf('first key')
  expect(within(first).queryByRole('button', { name: 'Delete' })).toBeNull()
  await press('Delete', phone)
  expect(await screen.findByText('No stored grant was signed with it.')).toBeDefined()
  await confirm('Delete the key')
  await waitFor(() => expect(within(keys).queryByText('Phone')).toBeNull())
  expect(await within(await itemOf('first key')).findByText('default')).toBeDefined()
})
