import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { clearDraft } from '../../shared/hooks/drafts.ts'
import { givenByAnother, openVault, STRANGER } from '../../test/open-vault.tsx'
import { ReceiveForm } from './receive-form.tsx'

const { vault, show } = openVault()
afterEach(() => clearDraft('receive'))

test('a text that isn’t a token is refused at its field, where it stays, and nothing is stored', async () => {
  const before = await vault().tokens.list()
  show(<ReceiveForm onUse={() => {}} />)
  const field = screen.getByLabelText('Token')
  const keep = screen.getByText('Check and add')
  fireEvent.click(keep)
  expect(await screen.findByText('Paste the token that you were given.')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(field))
  fireEvent.change(field, { target: { value: 'nonsense' } })
  expect(screen.queryByText('Paste the token that you were given.')).toBeNull()
  fireEvent.click(keep)
  expect(await screen.findByText(/This cannot be read as a token\./)).toBeDefined()
  expect(field).toHaveProperty('value', 'nonsense')
  expect(await vault().tokens.list()).toEqual(before)
})

test('a token issued to someone else is kept after it was verified, and can’t be used', async () => {
  const given = await givenByAnother({
    audience_did: STRANGER,
    command: '/msg/send',
    policy: [],
    expires_at: Math.floor(Date.now() / 1000) + 3600,
  })

  show(<ReceiveForm onUse={() => {}} />)
  fireEvent.change(screen.getByLabelText('Token'), { target: { value: given.token } })
  fireEvent.click(screen.getByText('Check and add'))
  expect(await screen.findByText('Checked and stored.')).toBeDefined()
  expect(screen.getByText(/^It is made out to someone else’s key/)).toBeDefined()
  expect(screen.queryByText('Use it now')).toBeNull()
  expect(await vault().tokens.list()).toMatchObject([{ cid: given.cid, type: 'received' }])
})
