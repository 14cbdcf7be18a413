import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openVault, PASSPHRASE } from '../../test/open-vault.tsx'
import { MethodsCard } from './methods-card.tsx'

const { vault, show } = openVault()

test('the last method cannot be removed', async () => {
  show(<MethodsCard />)
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Passphrase' }))
  expect(screen.getByText(/Without it no one could open the vault, not even you/)).toBeDefined()
  expect(screen.queryByRole('dialog', { name: /^Remove/ })).toBeNull()
  expect(await vault().unlockMethods.list()).toMatchObject([{ kind: 'passphrase' }])
})

test('with a recovery code beside it the passphrase still stays: a code alone is not enough', async () => {
  await vault().unlockMethods.newRecoveryCode({ passphrase: PASSPHRASE })
  show(<MethodsCard />)
  expect(await screen.findByRole('button', { name: 'Remove Recovery code' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Remove Passphrase' }))
  expect(screen.getByText(/A recovery code alone isn’t enough/)).toBeDefined()
  expect(screen.queryByRole('dialog', { name: /^Remove/ })).toBeNull()
})

test('a browser that has no passkeys for a vault says so where one would be added', async () => {
  show(<MethodsCard />)
  const why = 'Passkeys can’t unlock a vault in this browser.'
  const add = await screen.findByRole('button', { name: 'Add a passkey', description: why })
  expect(add.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByText(why)).toBeDefined()
})

test('a browser that has passkeys adds one', async () => {
  vi.stubGlobal('PublicKeyCredential', () => {})
  vi.spyOn(navigator, 'credentials', 'get').mockReturnValue({ create: () => {} } as never)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  show(<MethodsCard />)
  const add = await screen.findByRole('button', { name: 'Add a passkey' })
  await waitFor(() => expect(add).toHaveProperty('disabled', false))
  fireEvent.click(add)
  expect(await screen.findByRole('dialog', { name: 'Add a passkey' })).toBeDefined()
})
