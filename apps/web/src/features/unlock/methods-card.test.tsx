import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
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
