import { requestText } from '@keyhole/connect'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { askForPayment } from '../../../test/asked-payment.ts'
import { EXAMPLE } from '../../../test/capability-request.ts'
import { openClient } from '../../../test/open-client.tsx'
import { card, fill, lockByHand, press, sees } from '../../../test/person.ts'

const { vault, create, load } = openClient()

test('a request is told before the vault is unlocked, and can be declined', async () => {
  await create()
  const request = await askForPayment(vault())
  await vault().lock()
  await load('/identity?tab=requests')
  await fill('Request', request)
  const asked = await card('What it asks for')
  const sentence = await within(asked).findByText(/asks this vault to pay/)
  expect(sentence.textContent).toContain('£12.00 to shop.example for the order “A-17”.')
  const locked = screen.getByRole('heading', { name: 'The vault is locked' })
  expect(asked.compareDocumentPosition(locked)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await press('Decline', asked)
  // A locked vault can't tell whether it was signed before.
  await sees(
    'The person who asked won’t know unless you tell them. If you countersigned it before, that still counts.',
  )
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'What it asks for' })).toBeNull())
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Request')
  expect(field.value).toBe('')
  expect(document.activeElement).toBe(field)
})

test('a request that was countersigned before can’t be declined, and its authorisation is still there', async () => {
  await create()
  const request = await askForPayment(vault())
  const other = await askForPayment(vault())
  const { token } = await vault().payments.countersign(request)
  await load('/identity?tab=requests')
  await fill('Request', request)
  await sees('You’ve already countersigned this.', await card('What it asks for'))
  const asked = within(await card('What it asks for'))
  expect(asked.getByRole('region', { name: 'authorisation' }).textContent).toContain(token)
  expect(asked.queryByRole('button', { name: 'Decline' })).toBeNull()
  expect(asked.queryByRole('button', { name: /^Countersign/ })).toBeNull()
  // Another request for the same order was not.
  await fill('Request', other)
  expect(await screen.findByRole('button', { name: 'Countersign £12.00' })).toBeDefined()
  expect(screen.queryByText('You’ve already countersigned this.')).toBeNull()
  await lockByHand()
  await press('Decline', 'What it asks for')
  expect(screen.queryByText(/Nothing was signed/)).toBeNull()
})

test('what can’t be paid under its mandate says so beside the button, before the press', async () => {
  await create()
  const request = await askForPayment(vault())
  const [mandate] = await vault().mandates.list()
  await load('/identity?tab=requests')
  await fill('Request', request)
  // The button waits, and says for what.
  const description = 'Look at all of it first. A moment later, this works.'
  await screen.findByRole('button', { name: 'Countersign £12.00', description })
  await vault().mandates.suspend(mandate?.cid ?? '', true)
  const why = 'This mandate is suspended. To pay under it, resume it under Payments.'
  await sees(why, 'What it asks for')
  const button = screen.getByRole('button', { name: 'Countersign £12.00', description: why })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test('a request that a program made as text or link is told too', async () => {
  await create()
  const payment = requestText({ invocation: await askForPayment(vault()) })
  await load('/identity?tab=requests')
  await fill('Request', `https://vault.example/connect#${payment}`)
  await sees(/asks this vault to pay/, await card('What it asks for'))
  expect(screen.queryByText(/This isn’t a request/)).toBeNull()
  await fill('Request', requestText(EXAMPLE))
  await sees(/Someone asks you to let/)
  await fill('Request', payment.slice(0, -40))
  await sees('This request can’t be answered.')
})
