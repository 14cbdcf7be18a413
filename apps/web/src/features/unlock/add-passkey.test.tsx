import { VaultError } from '@keyhole/vault'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openVault, PASSPHRASE } from '../../test/open-vault.tsx'
import { AddPasskey } from './add-passkey.tsx'

const { vault, show } = openVault()
const CREDENTIAL = Uint8Array.of(1, 2, 3, 4)
const forgotten: unknown[] = []

/** A passkey of a device that can derive a key from it. */
class FakeCredential {
  static signalUnknownCredential = (about: unknown) => forgotten.push(about)
  readonly rawId = CREDENTIAL.buffer

  getClientExtensionResults() {
    return { prf: { enabled: true, results: { first: new ArrayBuffer(32), second: new ArrayBuffer(32) } } }
  }
}

beforeEach(() => {
  forgotten.length = 0
  vi.stubGlobal('PublicKeyCredential', FakeCredential)
  vi.stubGlobal('navigator', {
    ...{ language: navigator.language, userAgent: navigator.userAgent },
    credentials: { create: async () => new FakeCredential() },
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Adds one, which the vault refuses. */
async function refusedBy(error: unknown): Promise<void> {
  const add = vi.spyOn(vault().unlockMethods, 'addPasskey').mockRejectedValue(error)
  show(<AddPasskey open onOpenChange={() => {}} known={[]} />)
  fireEvent.change(await screen.findByLabelText(/Passphrase/), { target: { value: PASSPHRASE } })
  fireEvent.click(screen.getByRole('button', { name: 'Add the passkey' }))
  await waitFor(() => expect(add).toHaveBeenCalledOnce())
  expect(await screen.findByRole('alert')).toBeDefined()
  add.mockRestore()
}

test('a passkey that was not added is forgotten', async () => {
  await refusedBy(new VaultError('OPERATION_FAILED', 'It has too many.', { name: 'TooManyMethods' }))
  expect(forgotten).toEqual([{ rpId: location.hostname, credentialId: 'AQIDBA' }])
})

test('a passkey that may be in force is kept', async () => {
  await refusedBy(new VaultError('OPERATION_FAILED', 'The relay was gone.', { name: 'ChangeUnsure' }))
  expect(forgotten).toEqual([])
  expect(await screen.findByText(/Keep a passkey you made/)).toBeDefined()
})
