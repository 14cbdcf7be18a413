import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { clearDraft } from '../../shared/hooks/drafts.ts'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { GrantForm } from './grant-form.tsx'

const { vault, show } = openVault()
afterEach(() => clearDraft('grant'))

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const sign = () => fireEvent.click(screen.getByRole('button', { name: 'Sign the grant' }))

test('what is not a DID or a command is told as soon as it is typed', async () => {
  show(<GrantForm />)
  sign()
  expect(await screen.findByText(/^Choose a contact, or paste a DID\./)).toBeDefined()
  expect(screen.getByText(/^Say what they can do/)).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Who')))
  type('Who', 'bob')
  expect(screen.getByText(/Choose a contact from the list/)).toBeDefined()
  type('Who', STRANGER.slice(0, 20))
  expect(screen.getByText(/This did:key is cut/)).toBeDefined()
  type('What they can do', 'msg/send')
  expect(screen.getByText(/A command starts with a slash/)).toBeDefined()
})

test('what is still missing is named beside the button, until nothing is', async () => {
  show(<GrantForm />)
  const button = (description: string) => screen.getByRole('button', { name: 'Sign the grant', description })
  expect(button('Missing or wrong: Who, What they can do')).toBeDefined()
  type('Who', STRANGER)
  expect(button('Missing or wrong: What they can do')).toBeDefined()
  type('What they can do', '/msg/send')
  expect(button('')).toBeDefined()
  expect(screen.queryByText(/^Missing or wrong/)).toBeNull()
})

test('cases with made-up servers give way to what saved services offer', async () => {
  show(<GrantForm offered={({ beside }) => <div>{beside}</div>} />)
  expect(await screen.findByRole('button', { name: 'Send email within your company' })).toBeDefined()
  for (const name of ['Read one folder', 'One tool of an MCP server', 'One API, read only'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('a DID whose key is none is refused by the enclave, and nothing that was typed is lost', async () => {
  show(<GrantForm />)
  type('Who', `did:key:z${'1'.repeat(46)}`)
  type('What they can do', '/msg/send')
  sign()
  await waitFor(() => expect(screen.getAllByRole('alert').at(-1)?.textContent).not.toBe(''))
  expect(screen.getByLabelText('What they can do')).toHaveProperty('value', '/msg/send')
  expect(await vault().tokens.list()).toEqual([])
})

test('a policy that does not parse is told at the field, with its place, and stays', async () => {
  show(<GrantForm />)
  type('Who', STRANGER)
  type('What they can do', '/msg/send')
  fireEvent.click(screen.getByText('Edit as JSON'))
  const label = 'The exact policy'
  await screen.findByLabelText(label)
  for (const [bad, words] of [
    ['[["==", ".a", 1]', /line 1, column 17/],
    ['[["===", ".a", 1]]', /“===” isn’t an operator/],
    ['[["<", ".a", "many"]]', /“<” compares with a number\./],
    ['[["==", "a", 1]]', /A field starts with a dot/],
    ['{}', /A policy is a list of statements/],
  ] as const) {
    type(label, bad)
    expect(screen.getByText(words)).toBeDefined()
    sign()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)))
    expect(screen.getByLabelText(label)).toHaveProperty('value', bad)
    expect(await vault().tokens.list()).toEqual([])
  }
  type(label, '[["not", ["==", ".draft", true]]]')
  expect(screen.getByText(/A “not” lets through what is missing\./)).toBeDefined()
  expect(screen.getByLabelText('Limit 1.1: field')).toHaveProperty('value', '.draft')
})

test('fields of a known command are offered with an example, to be typed over', async () => {
  show(<GrantForm />)
  type('Who', STRANGER)
  fireEvent.click(screen.getByRole('button', { name: 'send messages' }))
  expect(screen.getByLabelText('What they can do')).toHaveProperty('value', '/msg/send')
  expect(screen.queryByRole('button', { name: 'send messages' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Limit “to”' }))
  expect(screen.queryByRole('button', { name: 'Limit “to”' })).toBeNull()
  const value = screen.getByLabelText<HTMLInputElement>('Limit 1: value')
  expect(value.value).toBe('*@example.com')
  expect([value.selectionStart, value.selectionEnd]).toEqual([0, value.value.length])
  const told = () => screen.getByRole('region', { name: 'What you are about to sign' }).textContent
  expect(told()).toContain('if “to” ends with “@example.com”')
  type('Limit 1: value', 'bob@example.com')
  expect(told()).toContain('if “to” is “bob@example.com”')
})

test('limits follow from words to text and back, and a call is decided with its reasons', async () => {
  show(<GrantForm />)
  fireEvent.click(screen.getByText('Share a folder'))
  fireEvent.click(screen.getByText('Edit as JSON'))
  const text = await screen.findByLabelText('The exact policy')
  type('Limit 2: value', '2000000')
  expect(text).toHaveProperty('value', expect.stringMatching(/"\.size", 2000000/))
  type('The exact policy', '[["any", ".tags", ["==", ".", "work"]], ["<=", ".size", 18446744073709551615]]')
  expect(screen.getByLabelText('Limit 1: field')).toHaveProperty('value', '.tags')
  expect(screen.getByLabelText('Limit 1.1: value')).toHaveProperty('value', 'work')
  expect(screen.getByLabelText('Limit 2: value')).toHaveProperty('value', '18446744073709551615')

  fireEvent.click(screen.getByText('Try a call'))
  expect(await screen.findByText('Allowed.')).toBeDefined()
  fireEvent.click(screen.getByText('Refused example'))
  expect(await screen.findByText(/It needs: at least one item in “tags”: the item is “work”/)).toBeDefined()
  type('Arguments of the call', '{"tags": ["work"], "size": 1.5}')
  expect(await screen.findByText('Allowed.')).toBeDefined()
  type('Command of the call', '/mail')
  expect(await screen.findByText('The grant is for /file, and the call asks for /mail.')).toBeDefined()
})
