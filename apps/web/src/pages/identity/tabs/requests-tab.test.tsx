import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { askForPayment } from '../../../test/asked-payment.ts'
import { openClient } from '../../../test/open-client.tsx'
import { card, fill, press, sees } from '../../../test/person.ts'

const { vault, create, load } = openClient()

test('a request is told before the vault is unlocked, and can be declined', async () => {
  await create()
  const request = await askForPayment(vault())
  await vault().lock()
  await load('/identity?tab=requests')
  await fill('Request', request)
  const asked = await card('What it asks for')
  const sentence = await within(asked).findByText(/asks this vault to pay/)
  expect(sentence.textContent).toContain('£12.00 to shop.example for the order A-17.')
  const locked = screen.getByRole('heading', { name: 'The vault is locked' })
  expect(asked.compareDocumentPosition(locked)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await press('Decline', asked)
  await sees('Nothing was signed. The person who asked won’t know unless you tell them.')
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'What it asks for' })).toBeNull())
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Request')
  expect(field.value).toBe('')
  expect(document.activeElement).toBe(field)
})
