// A payment that an app or an agent asks for, with the real enclave.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { askForPayment } from '../../test/asked-payment.ts'
import { openVault, PASSPHRASE } from '../../test/open-vault.tsx'
import { fill, press, sees } from '../../test/person.ts'
import { SeesAll } from '../../test/sees-all.ts'
import PaymentForm from './payment-form.tsx'

const { vault, show } = openVault()

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', SeesAll)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function ask(invocation: string) {
  const onDeclined = vi.fn()
  show(
    <PaymentForm
      request={{ kind: 'payment', invocation }}
      origin="https://agent.example"
      onSigned={() => {}}
      onDeclined={onDeclined}
    />,
  )
  return onDeclined
}

const told = () => screen.getByText(/asks this vault to pay/).textContent

test('a locked vault shows what is asked first, then how to unlock', async () => {
  const request = await askForPayment(vault())
  await vault().lock()
  const onDeclined = ask(request)
  const asked = await screen.findByText(/asks this vault to pay/)
  expect(told()).toContain('asks this vault to pay £12.00 to shop.example for the order “A-17”.')
  expect(told()).not.toContain('Unknown')
  const locked = await screen.findByRole('heading', { name: 'The vault is locked' })
  expect(asked.compareDocumentPosition(locked)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(screen.queryByRole('button', { name: /^Countersign/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Decline' }))
  expect(onDeclined).toHaveBeenCalledOnce()
  await fill('Passphrase', PASSPHRASE)
  await press('Unlock')
  await screen.findByRole('button', { name: 'Countersign £12.00' })
  expect(screen.queryByRole('heading', { name: 'The vault is locked' })).toBeNull()
})

test('what can be approved can be declined, in the same place, and so can what can’t be paid', async () => {
  ask(await askForPayment(vault()))
  const approve = await screen.findByRole('button', { name: 'Countersign £12.00' })
  const decline = screen.getByRole('button', { name: 'Decline' })
  expect(approve.parentElement).toBe(decline.parentElement)
  const onDeclined = ask('C'.repeat(200))
  await sees(/cannot be read as a token/)
  fireEvent.click(screen.getAllByRole('button', { name: 'Decline' }).at(-1) ?? decline)
  expect(onDeclined).toHaveBeenCalledOnce()
})

test('while it is being countersigned, and after that, a lock gives no way to decline it', async () => {
  const request = await askForPayment(vault())
  const sign = vault().payments.countersign.bind(vault().payments)
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const countersign = vi.spyOn(vault().payments, 'countersign').mockImplementation(async (...asked) => {
    const signed = await sign(...asked)
    await gate
    return signed
  })
  onTestFinished(() => countersign.mockRestore())
  const onDeclined = ask(request)
  const switched = await screen.findByRole('switch', { name: 'I mean to pay this' })
  await waitFor(() => expect(switched.getAttribute('aria-disabled')).not.toBe('true'))
  fireEvent.click(switched)
  await press('Countersign £12.00')
  await waitFor(async () => expect(await vault().payments.list()).toHaveLength(1))
  await vault().lock()
  await screen.findByRole('heading', { name: 'The vault is locked' })
  fireEvent.click(screen.getByRole('button', { name: 'Decline' }))
  expect(onDeclined).not.toHaveBeenCalled()
  goOn()
  await sees('You’ve already countersigned this.')
  expect(screen.queryByRole('button', { name: 'Decline' })).toBeNull()
  await vault().unlock(PASSPHRASE)
  expect(await screen.findByRole('region', { name: 'authorisation' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Decline' })).toBeNull()
})
