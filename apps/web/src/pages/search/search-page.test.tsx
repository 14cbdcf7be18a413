import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { STRANGER } from '../../test/open-vault.tsx'
import { choose, sees } from '../../test/person.ts'

const { create, load, reload, vault, address } = openClient()

const box = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Search the vault' })
const matches = () => within(screen.getByRole('listbox', { name: 'Matches' })).getAllByRole('option')

async function search(query: string): Promise<void> {
  fireEvent.change(await box(), { target: { value: query } })
}

/** A vault with two grants, on the page that searches it. */
async function withGrants(): Promise<string> {
  await create()
  const grant = (command: string, label: string) =>
    vault().tokens.grant({ audience_did: STRANGER, command, label })
  const { token } = await grant('/msg/send', 'Holiday mails')
  await grant('/crud/read', 'Photo backup')
  await load('/search')
  await sees(/^4 matches/)
  return token
}

test('what is stored is found as one types, narrowed by filters that stand in the address, and opened by keyboard', async () => {
  await withGrants()
  expect(document.activeElement).toBe(await box())
  await search('holi')
  await waitFor(() =>
    expect(matches().map((match) => match.querySelector('mark')?.textContent)).toEqual(['Holi']),
  )
  await waitFor(() => expect(address()).toContain('q=holi'))

  // A filter writes into the query, and the query into the filters.
  await choose('Kind', /^Key$/)
  await waitFor(async () => expect(await box()).toHaveProperty('value', 'holi kind:key'))
  await sees('Nothing fits')
  await search('kind:grant cmd:/crud')
  await waitFor(() => expect(screen.getByLabelText('Kind').textContent).toContain('Grant'))
  await sees(/^One match/)
  await waitFor(() => expect(address()).toContain('cmd'))
  await reload()
  await waitFor(async () => expect(await box()).toHaveProperty('value', 'kind:grant cmd:/crud'))
  await sees(/^One match/)
  expect(screen.getByLabelText('Command')).toHaveProperty('value', '/crud')
  await search('kind:door colour:red')
  await sees(/There is no such kind\./)
  await sees(/“colour” is no filter\./)

  await search('kind:grant')
  await sees(/^2 matches/)
  fireEvent.keyDown(await box(), { key: 'ArrowDown' })
  await waitFor(() => expect(matches()[1]?.getAttribute('aria-selected')).toBe('true'))
  await search('/crud kind:grant')
  await sees(/^One match/)
  fireEvent.keyDown(await box(), { key: 'Enter' })
  await waitFor(() => expect(address()).toMatch(/tab=grants/))
  await sees('Hide details', 'Granted so far')
})

test('Enter opens what is found for what was typed, however quickly it follows', async () => {
  await withGrants()
  // In one go: no answer comes in between.
  const field = await box()
  fireEvent.change(field, { target: { value: 'holiday kind:grant' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await sees('Hide details', 'Granted so far')
  expect((await screen.findAllByText('Holiday mails')).length).toBeGreaterThan(0)
})

test('what is pasted is known for what it is, and a token goes to where it is checked', async () => {
  const token = await withGrants()
  await search('holiday')
  await waitFor(() => expect(address()).toContain('q=holiday'))
  await search(token)
  await sees('This is a token.')
  // The address has followed, and says nothing of it.
  await waitFor(() => expect(address()).toBe('/search'))
  await sees(/^One match/)
  fireEvent.click(screen.getByRole('link', { name: 'Check the token' }))
  await sees('It holds.')

  await load('/search')
  await search(`${token.slice(0, 60)}A${token.slice(61)}`)
  await sees(/^0 matches/)
  fireEvent.keyDown(await box(), { key: 'Enter' })
  const tab = await screen.findByRole('tab', { name: 'Check a token' })
  expect(tab.getAttribute('aria-selected')).toBe('true')
})

test('a DID that is pasted leads to a grant for it', async () => {
  await withGrants()
  await search(STRANGER)
  await sees('This is a DID.')
  fireEvent.click(await screen.findByRole('link', { name: 'Grant it something' }))
  expect(await screen.findByLabelText('To whom')).toHaveProperty('value', STRANGER)
})
