import { toBase64Url } from '@keyhole/vault/base64url'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { VerifyPanel } from './verify-panel.tsx'

const { vault, show } = openVault()

const TEXT = 'The boiler was serviced today. ✓'
const field = (label: string) => screen.getByLabelText(label)
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const verify = () => fireEvent.click(screen.getByRole('button', { name: 'Check signature' }))

test('a signature is valid for its text and signer only', async () => {
  const signature = toBase64Url(await vault().sign(new TextEncoder().encode(TEXT)))
  show(<VerifyPanel />)
  type('Text that was signed', TEXT)
  type('Signature', signature)
  type('Signed by', '')
  verify()
  // Without a DID, the vault's own key is meant.
  expect(await screen.findByText('The signature is valid.')).toBeDefined()
  type('Text that was signed', TEXT.replace('today', 'yesterday'))
  expect(screen.queryByText('The signature is valid.')).toBeNull()
  verify()
  expect(await screen.findByText('The signature is not valid.')).toBeDefined()
  type('Text that was signed', TEXT)
  type('Signed by', STRANGER)
  verify()
  await waitFor(() => expect(screen.getByText('The signature is not valid.')).toBeDefined())
})

test('a signer whom the owner has named is called by name', async () => {
  await vault().contacts.save({ name: 'Anna', dids: [STRANGER] })
  const signature = toBase64Url(await vault().sign(new TextEncoder().encode(TEXT)))
  show(<VerifyPanel />)
  type('Text that was signed', TEXT)
  type('Signature', signature)
  type('Signed by', STRANGER)
  verify()
  expect(await screen.findByText(/ or Anna \(…2doK\) did not sign it\.$/)).toBeDefined()
})

test('a missing or cut-off value is reported at its field, and the first of them has the focus', async () => {
  show(<VerifyPanel />)
  type('Text that was signed', '')
  type('Signature', 'AAAA')
  type('Signed by', 'bob')
  verify()
  expect(await screen.findByText('Type the text or choose the file that was signed.')).toBeDefined()
  expect(screen.getByText(/A signature has 64 bytes/)).toBeDefined()
  expect(screen.getByText(/A DID starts with did:/)).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(field('Text that was signed')))
  type('Text that was signed', TEXT)
  expect(screen.queryByText(/A signature has 64 bytes/)).toBeNull()
  verify()
  await waitFor(() => expect(document.activeElement).toBe(field('Signature')))
})
