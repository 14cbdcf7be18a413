import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { STRANGER } from '../../test/open-vault.tsx'
import { press } from '../../test/person.ts'

const { create, load, vault } = openClient()

test.each([
  ['/register?tab=create', 'What’s a vault?', 'Vault'],
  ['/identity?tab=overview', 'What’s an account?', 'Account'],
  ['/identity?tab=keys', 'What’s a key?', 'Key'],
  ['/identity?tab=contacts', 'What’s a contact?', 'Contact'],
])('the page at %s answers “%s”', async (address, question, word) => {
  await create()
  await load(address)
  fireEvent.click(await screen.findByRole('button', { name: question }))
  expect(await screen.findByRole('dialog', { name: word })).toBeDefined()
})

test('a contact that introduces itself may be a service, and the page says what that is', async () => {
  await create()
  await load('/identity?tab=contacts')
  await press('Add a service')
  fireEvent.click(await screen.findByRole('button', { name: 'What’s a service?' }))
  expect(await screen.findByRole('dialog', { name: 'Service' })).toBeDefined()
})

test('what was revoked says what that means', async () => {
  await create()
  const { cid } = await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send' })
  await vault().tokens.revoke({ cid })
  await load(`/identity?tab=grants&token=${cid}`)
  await press('Show the revocation')
  fireEvent.click(await screen.findByRole('button', { name: 'What does revoking do?' }))
  expect(await screen.findByRole('dialog', { name: 'Revoke' })).toBeDefined()
})
