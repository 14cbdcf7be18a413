import type { KeyVault } from '@keyhole/vault'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { EMPTY_DRAFT } from '../../shared/grant-form/draft.ts'
import { clearDraft, setDraft } from '../../shared/hooks/drafts.ts'
import { givenByAnother, openVault, STRANGER } from '../../test/open-vault.tsx'
import { NarrowForm } from './narrow-form.tsx'

const { vault, show } = openVault()
const HOUR = 3600

let parent: Awaited<ReturnType<KeyVault['tokens']['receive']>>
beforeAll(async () => {
  const { token } = await givenByAnother({
    audience_did: vault().getSnapshot().issuerDid ?? '',
    command: '/msg',
    policy: [],
    expires_at: Math.floor(Date.now() / 1000) + HOUR,
  })
  parent = await vault().tokens.receive(token)
})
afterEach(() => clearDraft(`narrow:${parent.id}`))

test('an end past the chain’s is refused in words, and what was typed stays', async () => {
  const before = await vault().tokens.list()
  setDraft(`narrow:${parent.id}`, { ...EMPTY_DRAFT, command: '/msg/send', expiry: '1y' })
  show(<NarrowForm parent={parent} onDone={() => {}} />)
  fireEvent.change(screen.getByLabelText('Who'), { target: { value: STRANGER } })
  fireEvent.click(screen.getByText('Sign and pass on'))
  await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
  expect(screen.getByLabelText('Who')).toHaveProperty('value', STRANGER)
  expect(await vault().tokens.list()).toEqual(before)
})

test('a command that is not held is told at its field, and nothing is signed', async () => {
  const before = await vault().tokens.list()
  show(<NarrowForm parent={parent} onDone={() => {}} />)
  fireEvent.change(screen.getByLabelText('Who'), { target: { value: STRANGER } })
  fireEvent.change(screen.getByLabelText('What they can do'), { target: { value: '/mail' } })
  fireEvent.click(screen.getByText('Sign and pass on'))
  expect(
    await screen.findByText('You hold /msg, which does not cover /mail. Choose it or something under it.'),
  ).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('What they can do')))
  expect(await vault().tokens.list()).toEqual(before)
})
