import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'
import { givenByAnother, STRANGER } from '../../../test/open-vault.tsx'
import { card, chooseFile, fill, press, sees } from '../../../test/person.ts'

const { vault, create, load, address } = openClient()

test('a token is dropped in, used within its limits, and the request is there to hand over', async () => {
  await create()
  const given = await givenByAnother({
    audience_did: vault().getSnapshot().issuerDid ?? '',
    command: '/msg',
    policy: [['==', '.to', 'bob@example.com']],
  })
  await load('/identity?tab=received')
  const form = await card('Add a token')
  chooseFile(form, 'door.ucan', given.token)
  await waitFor(() => expect(within(form).getByLabelText('Token')).toHaveProperty('value', given.token))
  await fill('Your name for it', 'Mails', form)
  await press('Check and add', form)
  await press('Use it now', form)
  await waitFor(() => expect(address()).toMatch(/[?&]use=baf/))

  const use = await card('Use “Mails”')
  // What the policy leaves no choice about is filled in.
  expect(await within(use).findByLabelText('to')).toHaveProperty('value', 'bob@example.com')
  await fill('Command', '/http', use)
  expect(await within(use).findByText(/which does not cover \/http/)).toBeDefined()
  await fill('Command', '/msg/send', use)
  await press('Add an argument', use)
  await waitFor(() => expect(document.activeElement).toBe(within(use).getByLabelText('Argument 1: name')))
  await fill('Argument 1: name', 'mail.count', use)
  await fill('Argument 1: value', '90071992547409931', use)
  const written = within(use).getByRole('region', { name: 'arguments' })
  await waitFor(() => expect(written.textContent).toContain('"count": 90071992547409931'))
  expect(await within(use).findByText('Allowed.')).toBeDefined()
  await press('Write them as JSON', use)
  await fill('Arguments as JSON', '{"to": "bob@example.com", "to": 1}', use)
  expect(await within(use).findByText(/is used twice/)).toBeDefined()
  await fill('Arguments as JSON', '{"to": "bob@example.com", "text": "Hello"}', use)
  await press('Sign the request', use)

  const result = await card('Signed request')
  expect(await within(result).findByText('It should be accepted.')).toBeDefined()
  const request = within(result).getByRole('region', { name: 'request' }).textContent?.trim()
  expect(request).toMatch(/^[CP][A-Za-z0-9_-]{200,}$/)
  const list = await within(await card('What you signed')).findByRole('list', { name: 'What you signed' })
  expect(list.children).toHaveLength(1)
  await waitFor(() => expect(list.textContent).toContain('With these arguments:'))

  // Outside of the limits nothing is promised, and the reason is said.
  await press('Another request', result)
  const again = await card('Use “Mails”')
  await fill('to', 'eve@example.com', again)
  expect(await within(again).findByText('Refused.')).toBeDefined()
  await fill('Who should do it', STRANGER, again)
  await press('Sign the request', again)
  expect(await screen.findByText(/A limit of the grant is not met\./)).toBeDefined()
  expect(screen.queryByText('It should be accepted.')).toBeNull()
})

test('a page of received tokens without any, locked, and with a wrong link', async () => {
  await create()
  await vault().lock()
  await load('/identity?tab=received&use=%3Cscript%3E&token=x')
  expect(await screen.findByText('Nothing yet')).toBeDefined()
  expect(await card('The vault is locked')).toBeDefined()
  expect(address()).toMatch(/^\/identity\?tab=received/)
})

test('a request for a payment is told as money before it is signed', async () => {
  await create()
  const given = await givenByAnother({
    audience_did: vault().getSnapshot().issuerDid ?? '',
    command: '/payment/request',
    policy: [
      ['==', '.payee', 'did:web:shop.example'],
      ['==', '.currency', 'GBP'],
    ],
  })
  const { cid } = await vault().tokens.receive(given.token, {})
  await load(`/identity?tab=received&use=${cid}`)
  const use = await card('Use it')
  expect(await within(use).findByText(/^You ask for a payment\./)).toBeDefined()
  await fill('amount', '20', use)
  await waitFor(() =>
    expect(use.textContent).toMatch(/You ask Unknown key .+ to pay £0\.20 to shop\.example\./),
  )
  await sees('Missing or wrong: order', use)
  // Without its order no vault can read it, so it isn't signed.
  await press('Sign the request', use)
  await sees(/^It has to name a payee, an order, a currency/, use)
  await waitFor(() => expect(document.activeElement).toBe(within(use).getByLabelText('order')))
  expect((await vault().tokens.list()).filter(({ type }) => type === 'invocation')).toEqual([])
  await fill('order', '17', use)
  await waitFor(() => expect(use.textContent).toContain('to shop.example for the order “17”.'))
  expect(within(use).queryByText(/^It has to name/)).toBeNull()
  await press('Sign the request', use)
  await sees('Signed request')
  const [signed] = (await vault().tokens.list()).filter(({ type }) => type === 'invocation')
  expect(signed).toBeDefined()
})
