import { requestText } from '@keyhole/connect'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { askForPayment } from '../../test/asked-payment.ts'
import { EXAMPLE } from '../../test/capability-request.ts'
import { openClient } from '../../test/open-client.tsx'
import { STRANGER } from '../../test/open-vault.tsx'
import { card, choose, sees } from '../../test/person.ts'

const { create, load, reload, vault, address } = openClient()

const box = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Search the vault' })
const matches = () => within(screen.getByRole('listbox', { name: 'Matches' })).getAllByRole('option')

/** Waits until a result says this. It is in several elements: emphasised, or highlighted. */
const finds = (words: string | RegExp) =>
  waitFor(() => {
    const lines = matches().flatMap((match) => [...match.querySelectorAll('p')])
    expect(lines.map(({ textContent }) => textContent)).toContainEqual(
      typeof words === 'string' ? words : expect.stringMatching(words),
    )
  })

async function search(query: string): Promise<void> {
  fireEvent.change(await box(), { target: { value: query } })
}

/** A vault with two grants, on the search page. */
async function withGrants(): Promise<string> {
  await create()
  const grant = (command: string, label: string) =>
    vault().tokens.grant({ audience_did: STRANGER, command, label })
  const { token } = await grant('/msg/send', 'Holiday mails')
  await grant('/crud/read', 'Photo backup')
  await load('/search')
  await sees(/^4 entries\. Type a word to find payments and activity too\.$/)
  return token
}

test('results appear as you type, can be narrowed by filters in the address, and open by keyboard', async () => {
  await withGrants()
  expect(document.activeElement).toBe(await box())
  await search('holi')
  await waitFor(() =>
    expect(matches().map((match) => match.querySelector('mark')?.textContent)).toEqual(['Holi']),
  )
  await waitFor(() => expect(address()).toContain('q=holi'))

  // A filter is written into the query, and the query sets the filters.
  await choose('Kind', /^Key$/)
  await waitFor(async () => expect(await box()).toHaveProperty('value', 'holi kind:key'))
  await sees('No matches')
  await search('kind:grant cmd:/crud')
  await waitFor(() => expect(screen.getByLabelText('Kind').textContent).toContain('Grant'))
  await sees(/^1 entry found\.$/)
  await waitFor(() => expect(address()).toContain('cmd'))
  await reload()
  await waitFor(async () => expect(await box()).toHaveProperty('value', 'kind:grant cmd:/crud'))
  await sees(/^1 entry found/)
  expect(screen.getByLabelText('Command')).toHaveProperty('value', '/crud')
  await search('kind:door colour:red')
  await sees(/There’s no such kind\./)
  await sees(/“colour” isn’t a filter\./)

  await search('kind:grant')
  await sees(/^2 entries found/)
  fireEvent.keyDown(await box(), { key: 'ArrowDown' })
  await waitFor(() => expect(matches()[1]?.getAttribute('aria-selected')).toBe('true'))
  await search('/crud kind:grant')
  await sees(/^1 entry found/)
  fireEvent.keyDown(await box(), { key: 'Enter' })
  await waitFor(() => expect(address()).toMatch(/tab=grants&token=/))
  await sees('You granted it with your own key. The chain starts with you.', 'Where it came from')
})

test('Enter opens the result for what was typed, however quickly it follows', async () => {
  await withGrants()
  // In one step, so that no answer comes in between.
  const field = await box()
  fireEvent.change(field, { target: { value: 'holiday kind:grant' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await screen.findByRole('article', { name: 'Holiday mails' })
  expect((await screen.findAllByText('Holiday mails')).length).toBeGreaterThan(0)
})

test('pasted text is recognised, and a token opens the page that checks it', async () => {
  const token = await withGrants()
  await search('holiday')
  await waitFor(() => expect(address()).toContain('q=holiday'))
  await search(token)
  await sees('This is a token.')
  // The address has been updated, and doesn't contain it.
  await waitFor(() => expect(address()).toBe('/search'))
  await sees(/^1 entry found/)
  fireEvent.click(await screen.findByRole('link', { name: 'Check the token' }))
  await sees('Valid.')

  await load('/search')
  await search(`${token.slice(0, 60)}A${token.slice(61)}`)
  await sees('It is not stored here. Enter checks it.')
  // Nothing was searched for as words.
  expect(screen.queryByText(/match|found/)).toBeNull()
  fireEvent.keyDown(await box(), { key: 'Enter' })
  expect(await screen.findByRole('heading', { name: 'Check a token', level: 1 })).toBeDefined()
  expect(address()).toContain('tab=check')
})

test('a pasted request says what it asks for, and opens where it is answered', async () => {
  await create()
  const payment = requestText({ invocation: await askForPayment(vault()) })
  await load('/search')
  await search(`https://vault.example/connect#${payment}`)
  await sees('This is a request for a payment.')
  await waitFor(() => expect(address()).toBe('/search'))
  await sees('Enter opens it.')
  await waitFor(() => expect(screen.queryByText(/match|found|Reading/)).toBeNull())
  fireEvent.click(await screen.findByRole('link', { name: 'Open the request' }))
  await sees(/asks this vault to pay/)

  await load('/search')
  await search(requestText(EXAMPLE))
  await sees('This is a request for a grant.')
  fireEvent.keyDown(await box(), { key: 'Enter' })
  await sees(/Someone asks you to let/)

  await load('/search')
  await search('keyhole-request-1.e30')
  await sees('This is a request that can’t be answered.')
})

test('a pasted DID leads to a grant for it', async () => {
  await withGrants()
  await search(STRANGER)
  await sees('This is a DID.')
  fireEvent.click(await screen.findByRole('link', { name: 'New grant for this DID' }))
  expect(await screen.findByLabelText('Who')).toHaveProperty('value', STRANGER)
})

test('a mandate says what is counted for it, and whether it is suspended', async () => {
  await create()
  const { mandate } = await vault().mandates.make({
    audienceDid: STRANGER,
    payees: ['did:web:shop.example'],
    ...{ currency: 'GBP', max: 500, budget: { amount: 2000, period: 'week' }, label: 'Small sums' },
  })
  await load('/search?q=kind:mandate')
  await sees('active')
  await finds(
    /^Budget: at most £20\.00 a week\. This vault keeps count\. ?You let Unknown key \(…2doK\) ask your vault to pay, /,
  )
  await vault().mandates.suspend(mandate.cid, true)
  await sees('suspended')
  expect(screen.queryByText('active')).toBeNull()
})

/** Signs a request under the account's own authority. */
async function ask(command: string, args: Record<string, unknown>): Promise<void> {
  const own = vault().getSnapshot().issuerDid ?? ''
  await vault().tokens.invoke({ command, subject_did: own, audience_did: STRANGER, args })
}

/** Waits until the page of received grants says this of what was signed. */
async function seesSigned(words: string): Promise<void> {
  await load('/identity?tab=received')
  await waitFor(async () => expect((await card('What you signed')).textContent).toContain(words))
}

test('a request for a payment says how much it asks for, and for whom', async () => {
  await create()
  const args = { payee: 'did:web:shop.example', amount: 1999, currency: 'GBP', order: 'A-17' }
  await ask('/payment/request', args)
  await load('/search?q=kind:signed')
  await finds('You ask Unknown key (…2doK) to pay £19.99 to shop.example for the order “A-17”')
  await seesSigned('You ask Unknown key (…2doK) to pay £19.99 to shop.example for the order “A-17”.')
})

test('another request is told with its arguments', async () => {
  await create()
  await ask('/msg/send', { to: 'bob@example.com', subject: 'Hi' })
  await load('/search?q=kind:signed')
  await finds(
    'Your request to Unknown key (…2doK): send messages (“subject” is “Hi”, and “to” is “bob@example.com”)',
  )
  await seesSigned(': send messages.With these arguments:“subject” is “Hi”“to” is “bob@example.com”')
})

test('each request in sight is read once, however much is typed', async () => {
  await create()
  await ask('/msg/send', { to: 'bob@example.com' })
  await ask('/msg/send', { to: 'eve@example.com' })
  await ask('/crud/read', { path: 'notes' })
  const inspect = vi.spyOn(vault().tokens, 'inspect')
  await load('/search?q=kind:signed')
  const titles = () => matches().map(({ textContent }) => textContent ?? '')
  await waitFor(() => {
    expect(titles()).toHaveLength(3)
    for (const title of titles()) expect(title).toContain('(“')
  })
  expect(inspect).toHaveBeenCalledTimes(3)
  for (const [query, count] of [
    ['kind:signed send', 2],
    ['kind:signed read', 1],
    ['kind:signed', 3],
  ] as const) {
    await search(query)
    await waitFor(() => {
      expect(titles()).toHaveLength(count)
      for (const title of titles()) expect(title).toContain('(“')
    })
  }
  expect(inspect).toHaveBeenCalledTimes(3)
})

test('no argument of a request is left out, whatever its name, nor an address cut', async () => {
  await create()
  const url = `https://shop.example/${'a'.repeat(100)}/b`
  await ask('/msg/send', { a: 1, b: 2, c: 3, constructor: 4, d: 5, url })
  await seesSigned(`“a” is 1“b” is 2“c” is 3“constructor” is 42 more values“d” is 5“url” is “${url}”`)
})

test('does not take the focus from a dialog that was opened before it appeared', async () => {
  await create()
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  const field = document.createElement('input')
  dialog.append(field)
  document.body.append(dialog)
  field.focus()
  await load('/search')
  await box()
  expect(document.activeElement).toBe(field)
  dialog.remove()
})
