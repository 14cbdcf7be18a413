import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { answerLink, askLink, bringAnswer, waitingAnswer } from '../contacts/did-answer.ts'
import { AudienceField } from './audience-field.tsx'

const { vault, show } = openVault()
afterEach(async () => {
  for (const { id } of await vault().contacts.list()) await vault().contacts.remove(id)
})

const OTHER = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'

function Field() {
  const [value, setValue] = useState('')
  return <AudienceField field={undefined} value={value} onValueChange={setValue} error="no DID" />
}

const field = () => screen.getByLabelText<HTMLInputElement>('Who')
const type = (value: string) => fireEvent.change(field(), { target: { value } })

test('a contact is chosen by its name and the keyboard, one of its keys', async () => {
  await vault().contacts.save({ name: 'Anna', dids: [STRANGER, OTHER] })
  await vault().contacts.save({ name: 'Anna without a key' })
  await vault().contacts.save({ name: 'Bob', dids: ['did:web:bob.example'] })
  show(<Field />)
  type('an')
  const options = await screen.findAllByRole('option')
  expect(options).toHaveLength(2)
  expect(field().getAttribute('aria-expanded')).toBe('true')
  fireEvent.keyDown(field(), { key: 'ArrowUp' })
  expect(field().getAttribute('aria-activedescendant')).toBe(options[1]?.id)
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(field().value).toBe(OTHER)
  expect(screen.queryAllByRole('option')).toEqual([])
  expect(await screen.findByRole('button', { name: 'Anna (…ooWp)' })).toBeDefined()
})

test('Escape puts the list away, and what is wrong is told then', async () => {
  await vault().contacts.save({ name: 'Anna', dids: [STRANGER] })
  show(<Field />)
  type('anna')
  await screen.findByRole('option')
  expect(screen.queryByText('no DID')).toBeNull()
  fireEvent.keyDown(field(), { key: 'Escape' })
  expect(screen.queryByRole('option')).toBeNull()
  expect(screen.getByText('no DID')).toBeDefined()
})

test('a DID that is pasted is whose it is, and an unknown one can be named', async () => {
  await vault().contacts.save({ name: 'Anna', dids: [STRANGER] })
  show(<Field />)
  type(STRANGER)
  expect(await screen.findByRole('button', { name: 'Anna (…2doK)' })).toBeDefined()
  type(OTHER)
  expect(await screen.findByRole('button', { name: 'Unknown key (…ooWp)' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Name this key' })).toBeDefined()
})

test('someone is asked by a link, and what they answer is filled in, with the name they give themselves', async () => {
  show(<Field />)
  fireEvent.click(screen.getByRole('button', { name: 'Send them a link' }))
  const link = within(await screen.findByRole('dialog')).getByRole('region', { name: 'link' })
  expect(link.textContent?.trim()).toBe(askLink())
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))

  type(answerLink({ did: OTHER, name: 'Bob\u202e' }))
  expect(field().value).toBe(OTHER)
  expect(waitingAnswer()).toBeUndefined()
  expect(await screen.findByText(/^They call themselves/)).toHaveProperty(
    'textContent',
    'They call themselves “Bob”. A link can be changed on its way: ask them whether their DID ends in …3djd X3mD ooWp.',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Name this key' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Use this name' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('button', { name: 'Bob (…ooWp)' })).toBeDefined()
  expect(screen.queryByText(/^They call themselves/)).toBeNull()
})

test('an answer without a name has the same advice', async () => {
  show(<Field />)
  type(answerLink({ did: OTHER, name: '' }))
  expect(await screen.findByText(/^The answer gave no name/)).toHaveProperty(
    'textContent',
    'The answer gave no name. A link can be changed on its way: ask them whether their DID ends in …3djd X3mD ooWp.',
  )
  type(STRANGER)
  await waitFor(() => expect(screen.queryByText(/^The answer gave no name/)).toBeNull())
})

test('an answer that comes while the link is handed over closes its window, and leads to the field', async () => {
  show(<Field />)
  fireEvent.click(screen.getByRole('button', { name: 'Send them a link' }))
  await screen.findByRole('dialog')
  act(() => bringAnswer({ did: OTHER, name: 'Bob' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(field().value).toBe(OTHER)
  await waitFor(() => expect(document.activeElement).toBe(field()))
})

test('an answer that came with the address is filled in once', async () => {
  bringAnswer({ did: STRANGER, name: '' })
  show(<Field />)
  await waitFor(() => expect(field().value).toBe(STRANGER))
  expect(waitingAnswer()).toBeUndefined()
  type('')
  expect(field().value).toBe('')
})
