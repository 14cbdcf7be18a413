import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { STRANGER } from '../../test/open-vault.tsx'
import { card, fill, lockByHand, openTab, press, sees, visit } from '../../test/person.ts'

const { address, create, load, vault } = openClient()

const told = async (heading: string) => (await card(heading)).textContent ?? ''
const field = (label: string) =>
  within(screen.getByLabelText(label).closest('section') ?? document.body).getByLabelText(label)

/** Begins with a template on the tab of a new mandate. */
async function begin(template: string): Promise<void> {
  await load('/payment?tab=new')
  await press(template, 'New mandate')
}

const sign = () => press('Sign the mandate', 'New mandate')

test('a mandate without a budget is a delegation that anyone can check', async () => {
  await create()
  await begin('Without a budget')
  await sees('Missing or wrong: Who, Paid to', 'New mandate')
  await fill('Maximum per payment', '12.345')
  await sign()
  await waitFor(() => expect(document.activeElement).toBe(field('Who')))
  await sees(/as often as they like\. No one keeps count\./, 'New mandate')
  await sees(/with at most 2 decimal places/, 'New mandate')
  await fill('Who', STRANGER)
  await fill('Paid to', 'Corner Shop')
  await sign()
  await waitFor(() => expect(document.activeElement).toBe(field('Paid to')))
  await fill('Paid to', 'shop.example')
  await fill('Maximum per payment', '12.50')
  await waitFor(async () =>
    expect(await told('What you are about to sign')).toContain('above zero and at most £12.50'),
  )
  expect(await told('What you are about to sign')).toContain('it goes to shop.example')
  expect(screen.getByRole('region', { name: 'payload', hidden: true }).textContent).toContain(
    '["<=", ".amount", 1250]',
  )
  await sign()
  const signed = await card('Signed and stored')
  const token = within(signed).getByRole('region', { name: 'token' }).textContent?.trim() ?? ''

  await openTab('Mandates')
  await sees('authorise payments', 'Without a budget')
  await sees('No mandates with a budget yet', 'With a budget')
  visit('Check a token')
  await fill('Token', token)
  await waitFor(async () =>
    expect(await told('What it says')).toContain('the amount is above zero and at most £12.50'),
  )
})

test('an example of an amount doesn’t look like one that was typed, and an empty form names what it needs', async () => {
  await create()
  await load('/payment?tab=new')
  await sees('Missing or wrong: Who, Paid to, Maximum per payment, Total or payments', 'New mandate')
  expect(field('Maximum per payment').getAttribute('placeholder')).toBe('e.g. 25.00')
  expect(field('Total').getAttribute('placeholder')).toBe('e.g. 100.00')
})

test('this vault may pay small sums by itself, until it is locked', async () => {
  await create()
  await begin('Small amounts, automatically')
  await sign()
  await sees('Name each site it may pay. You won’t be asked before it does.')
  await fill('Paid to', 'shop.example')
  await sign()
  await waitFor(async () =>
    expect(await told('Signed and stored')).toMatch(
      /Budget: at most £20\.00 a week\. This vault keeps count\.This vault authorises payments automatically, until .+ at most £5\.00, and it is paid in GBP, and it goes to shop\.example\./,
    ),
  )
  fireEvent.click(await screen.findByRole('link', { name: 'See it' }))
  const item = await screen.findByRole('article', { name: 'Small sums' })
  const meter = await within(item).findByRole('meter', { name: 'Money' })
  expect(meter.getAttribute('aria-valuetext')).toBe('£0.00 of £20.00 used')
  expect(meter.getAttribute('aria-valuenow')).toBe('0')
  // It has a page of its own, with an address that leads there.
  expect(address()).toMatch(/tab=mandates&mandate=/)
  expect(document.activeElement).toBe(item)
  await sees('Total authorised', 'Payments under this mandate')
  const there = address()
  await press('All mandates')
  fireEvent.click(await screen.findByRole('link', { name: 'Details' }))
  await waitFor(() => expect(address()).toBe(there))
  await screen.findByRole('article', { name: 'Small sums' })
  await lockByHand()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Small sums' })).toBeNull())
  await sees(/see what is left of each budget/)
  expect(vault().getSnapshot().phase).toBe('locked')
})

test('a suspended mandate is resumed', async () => {
  await create()
  const { mandate } = await vault().mandates.make({
    ...{ audienceDid: STRANGER, label: 'Groceries', max: 1_500, currency: 'EUR' },
    budget: { period: 'month', amount: 6_000 },
  })
  await vault().mandates.suspend(mandate.cid, true)
  await load('/payment?tab=mandates')
  const item = await screen.findByRole('article', { name: 'Groceries' })
  await within(item).findByText('No payments until you resume it.')
  await press('Resume', item)
  await within(item).findByRole('button', { name: 'Suspend' })
  expect((await vault().mandates.list())[0]?.suspended).toBe(false)
})

test('a payment has a page of its own, and its mandate leads to it', async () => {
  await create()
  const { mandate } = await vault().mandates.make({
    audienceDid: vault().getSnapshot().issuerDid ?? '',
    payees: ['did:web:shop.example'],
    ...{ currency: 'GBP', max: 500, budget: { amount: 2000, period: 'week' }, label: 'Small sums' },
  })
  const asked = { origin: 'https://shop.example', value: '4.50', currency: 'GBP', order: 'A-17' }
  const { id } = await vault().payments.authorize(asked, { mandate: mandate.cid })
  await load(`/payment?tab=mandates&mandate=${mandate.cid}`)
  await sees('£4.50', 'Payments under this mandate')
  fireEvent.click(
    await within(await card('Payments under this mandate')).findByRole('link', { name: 'Details' }),
  )
  await waitFor(() => expect(address()).toContain(`payment=${id}`))
  await sees('by hand', '£4.50 to shop.example')
})

test('an address of what is gone says so and leads to the list', async () => {
  await create()
  const gone = 'bafyreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
  await load(`/payment?tab=history&payment=${gone}`)
  await sees('This payment isn’t in this vault')
  await press('All payments')
  await sees('No payments yet')
  await load(`/payment?tab=mandates&mandate=${gone}`)
  await sees('This mandate isn’t in this vault')
})

test('requests are under Grants, where their older address leads too', async () => {
  await create()
  await load('/payment?tab=requests')
  await sees('Answer a request')
  expect(address()).toBe('/identity?tab=requests')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Grants')
})

test.each([
  ['a browser that opens no payment windows says so', false],
  ['one that opens them has nothing to say', true],
])('%s', async (_browser, opens) => {
  if (opens) for (const name of ['PaymentRequest', 'PaymentManager']) vi.stubGlobal(name, class {})
  onTestFinished(() => void vi.unstubAllGlobals())
  await create()
  await load('/payment')
  await sees('No mandates with a budget yet')
  expect(screen.queryAllByText('Shops can’t open Keyhole in this browser.')).toHaveLength(opens ? 0 : 1)
})
