import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { announceBy, undoNewest } from '../../shared/browser/announce.ts'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { Routed } from '../../test/routed.tsx'
import { Contacts } from './contacts.tsx'

const { vault, show } = openVault()
afterEach(async () => {
  for (const { id } of await vault().contacts.list()) await vault().contacts.remove(id)
})

const OTHER = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'

function Here({ at }: { at?: string | undefined }) {
  const [contact, setContact] = useState(at)
  return <Contacts contact={contact} onContactChange={setContact} />
}

const showContacts = (at?: string) =>
  show(
    <Routed>
      <Here at={at} />
    </Routed>,
  )
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const names = async () => (await vault().contacts.list()).map(({ name }) => name)

test('a contact is added with its key, and opened', async () => {
  showContacts()
  await press('Add a contact')
  await screen.findByRole('dialog')
  type('Name', 'Anna')
  type('DID', 'did:key:z6Mk')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.getByLabelText('DID').getAttribute('aria-invalid')).toBe('true'))
  expect(await names()).toEqual([])
  type('DID', STRANGER)
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('heading', { name: 'Anna' })).toBeDefined()
  expect(screen.getByTitle('Show all of it')).toBeDefined()
  await press('All contacts')
  const list = await screen.findByRole('list', { name: 'Contacts' })
  expect(within(list).getAllByRole('button')).toHaveLength(1)
})

test('of many, one is found by a part of its name', async () => {
  for (let at = 1; at <= 9; at += 1) await vault().contacts.save({ name: `Device ${at}`, kind: 'device' })
  await vault().contacts.save({ name: 'Zoë', note: 'the neighbour' })
  showContacts()
  const list = await screen.findByRole('list', { name: 'Contacts' })
  expect(within(list).getAllByRole('button')).toHaveLength(10)
  type('Find a contact', 'zoe')
  await waitFor(() => expect(within(list).getAllByRole('button')).toHaveLength(1))
})

test('a key is added, taken away and put back; another contact’s is refused', async () => {
  const { id } = await vault().contacts.save({ name: 'Anna', dids: [STRANGER] })
  await vault().contacts.save({ name: 'Bob', dids: [OTHER] })
  showContacts(id)
  await press('Add a key')
  type('DID', OTHER)
  expect(screen.getByLabelText('DID').getAttribute('aria-invalid')).toBe('true')
  const web = 'did:web:anna.example'
  type('DID', web)
  await press('Add')
  await waitFor(async () => expect((await vault().contacts.get(id))?.dids).toEqual([STRANGER, web]))
  await press(`Remove the key ${web}`)
  await waitFor(async () => expect((await vault().contacts.get(id))?.dids).toEqual([STRANGER]))
  expect(undoNewest()).toBe(true)
  await waitFor(async () => expect((await vault().contacts.get(id))?.dids).toEqual([STRANGER, web]))
})

test('it is renamed, and what it calls itself stays theirs', async () => {
  const { id } = await vault().contacts.save({ name: 'Anna', suggestedName: 'annabot\u202e' })
  showContacts(id)
  expect(await screen.findByText('annabot')).toBeDefined()
  await press('Edit…')
  await screen.findByRole('dialog')
  type('Name', 'Berta')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('heading', { name: 'Berta' })).toBeDefined()
  expect(await vault().contacts.get(id)).toMatchObject({ name: 'Berta', suggestedName: 'annabot' })
})

test('it is deleted and put back, and what was granted stays', async () => {
  const { id } = await vault().contacts.save({ name: 'Anna', dids: [STRANGER] })
  const { cid } = await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send' })
  showContacts(id)
  await press('Delete Anna')
  expect(await screen.findByText('No contacts yet')).toBeDefined()
  expect((await vault().tokens.list()).map((token) => token.cid)).toEqual([cid])
  expect(undoNewest()).toBe(true)
  expect(await screen.findByRole('list', { name: 'Contacts' })).toBeDefined()
  expect(await names()).toEqual(['Anna'])
})

test('two that look alike are warned of, become one, and two again', async () => {
  const { id } = await vault().contacts.save({ name: 'Anna', dids: [STRANGER] })
  await vault().contacts.save({ name: '\u0410nna', dids: [OTHER] })
  showContacts(id)
  expect(await screen.findByText('\\u{410}nna (…ooWp)')).toBeDefined()
  await press('Merge…')
  const field = await screen.findByRole('combobox', { name: 'Which contact is the duplicate?' })
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(field, { key: 'Enter' })
  fireEvent.click(screen.getByRole('button', { name: 'Merge' }))
  await waitFor(async () => expect(await vault().contacts.list()).toHaveLength(1))
  expect(await vault().contacts.list()).toMatchObject([{ name: 'Anna', dids: [STRANGER, OTHER] }])
  expect(undoNewest()).toBe(true)
  await waitFor(async () => expect(await vault().contacts.list()).toHaveLength(2))
})

test('one that another tab has deleted is said to be gone', async () => {
  const { id } = await vault().contacts.save({ name: 'Anna' })
  const add = vi.fn()
  announceBy({ add, close: vi.fn() } as never)
  showContacts(id)
  await screen.findByRole('heading', { name: 'Anna' })
  await act(() => vault().contacts.remove(id))
  expect(await screen.findByText('This contact is gone')).toBeDefined()
})
