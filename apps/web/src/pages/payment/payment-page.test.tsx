import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { STRANGER } from '../../test/open-vault.tsx'
import { card, fill, lockByHand, openTab, press, sees } from '../../test/person.ts'

const { create, load, vault } = openClient()

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
  await fill('At most, for one payment', '12.345')
  await sign()
  await waitFor(() => expect(document.activeElement).toBe(field('To whom')))
  await sees(/nothing counts how many there are/, 'New mandate')
  await sees(/with at most 2 digits after the point/, 'New mandate')
  await fill('To whom', STRANGER)
  await fill('Paid to', 'Corner Shop')
  await sign()
  await waitFor(() => expect(document.activeElement).toBe(field('Paid to')))
  await fill('Paid to', 'shop.example')
  await fill('At most, for one payment', '12.50')
  await waitFor(async () =>
    expect(await told('What you are about to sign')).toContain('above zero and at most £12.50'),
  )
  expect(await told('What you are about to sign')).toContain('it goes to shop.example')
  expect(await told('What you are about to sign')).toContain('["<=", ".amount", 1250]')
  await sign()
  const signed = await card('Signed and stored')
  const token = within(signed).getByRole('region', { name: 'token' }).textContent?.trim() ?? ''

  await openTab('Mandates')
  await sees('authorise payments', 'Without a budget')
  await sees('No budget is given out', 'With a budget')
  fireEvent.click(screen.getAllByRole('link', { name: 'Identity' })[0] ?? expect.fail())
  await openTab('Check a token')
  await fill('Token', token)
  await waitFor(async () =>
    expect(await told('What it says')).toContain('the amount is above zero and at most £12.50'),
  )
})

test('this vault may pay small sums by itself, until it is locked', async () => {
  await create()
  await begin('Small sums, by itself')
  await sign()
  await sees('Name each site that it may pay: nobody is asked before it does.')
  await fill('Paid to', 'shop.example')
  await sign()
  await waitFor(async () =>
    expect(await told('Signed and stored')).toMatch(
      /This vault authorises payments by itself, until .+ at most £5\.00, and it is paid in GBP, and it goes to shop\.example\.In all: at most £20\.00 a week\./,
    ),
  )
  fireEvent.click(screen.getByRole('link', { name: 'See it' }))
  const item = await screen.findByRole('article', { name: 'Small sums' })
  const meter = await within(item).findByRole('meter', { name: 'Money' })
  expect(meter.getAttribute('aria-valuetext')).toBe('£20.00 of £20.00 left')
  await lockByHand()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Small sums' })).toBeNull())
  await sees(/see what is left of each budget/)
  expect(vault().getSnapshot().phase).toBe('locked')
})
