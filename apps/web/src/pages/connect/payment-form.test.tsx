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

const APP = 'https://agent.example'

/** Shows what an app asks for, or what came as a text. @returns hears that it was declined */
function ask(invocation: string, give: ((token: string) => void) | 'by text' = () => {}) {
  const onDeclined = vi.fn()
  show(
    <PaymentForm
      request={{ kind: 'payment', invocation }}
      origin={give === 'by text' ? undefined : APP}
      give={give === 'by text' ? undefined : give}
      onDeclined={onDeclined}
    />,
  )
  return onDeclined
}

/** Turns the switch and countersigns. */
async function turnAndCountersign(): Promise<void> {
  const switched = await screen.findByRole('switch', { name: 'I want to pay this' })
  await waitFor(() => expect(switched.getAttribute('aria-disabled')).not.toBe('true'))
  fireEvent.click(switched)
  await press('Countersign £12.00')
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
  await turnAndCountersign()
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

test('an app is told what it gets, and once it was sent, you need not hand anything over', async () => {
  const give = vi.fn()
  ask(await askForPayment(vault()), give)
  await sees('If you countersign, the app gets an authorisation. Only shop.example can use it, once.')
  await turnAndCountersign()
  await sees('Countersigned, counted and stored.')
  const [payment] = await vault().payments.list()
  expect(give).toHaveBeenCalledExactlyOnceWith(payment?.token)
  await sees(
    /^It was sent to the app\. Only shop\.example can use it, once, until .* You can close this window\.$/,
  )
  expect(screen.queryByText(/Send this back/)).toBeNull()
})

test('a text says that you get an authorisation to send back', async () => {
  ask(await askForPayment(vault()), 'by text')
  await sees('If you countersign, you get an authorisation to send back. Only shop.example can use it, once.')
  await turnAndCountersign()
  await sees(/^Send this back to the person who asked\. Only shop\.example can use it, once, until /)
})

test('an app whose request was countersigned before gets the same authorisation by a press, and nothing is counted again', async () => {
  const request = await askForPayment(vault())
  const { token } = await vault().payments.countersign(request)
  const before = [await vault().payments.list(), await vault().mandates.list()]
  const countersigned = vi.spyOn(vault().payments, 'countersign')
  onTestFinished(() => countersigned.mockRestore())
  const give = vi.fn()
  ask(request, give)
  await sees('You’ve already countersigned this.')
  expect(screen.getByText('agent.example')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Decline' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Countersign/ })).toBeNull()
  expect(give).not.toHaveBeenCalled()
  await press('Send the authorisation again')
  await waitFor(() => expect(give).toHaveBeenCalledExactlyOnceWith(token))
  await sees(/^It was sent to the app\./)
  expect(screen.queryByRole('button', { name: 'Send the authorisation again' })).toBeNull()
  expect(countersigned).not.toHaveBeenCalled()
  expect([await vault().payments.list(), await vault().mandates.list()]).toEqual(before)
})

test('an authorisation that has expired isn’t sent again', async () => {
  const request = await askForPayment(vault())
  const payment = await vault().payments.countersign(request)
  const now = vi.spyOn(Date, 'now').mockReturnValue(payment.expiresAt)
  onTestFinished(() => now.mockRestore())
  ask(request)
  await sees('You’ve already countersigned this.')
  await sees('Its authorisation has expired and can’t be sent again. You can close this window.')
  expect(screen.queryByRole('button', { name: 'Send the authorisation again' })).toBeNull()
})

test('declining says whether the vault could tell if it was countersigned before', async () => {
  const request = await askForPayment(vault())
  const unlocked = ask(request)
  await screen.findByRole('button', { name: 'Countersign £12.00' })
  await waitFor(() => {
    fireEvent.click(screen.getByRole('button', { name: 'Decline' }))
    expect(unlocked).toHaveBeenLastCalledWith('no')
  })
  await vault().lock()
  const locked = ask(request)
  fireEvent.click(screen.getAllByRole('button', { name: 'Decline' }).at(-1) ?? document.body)
  expect(locked).toHaveBeenCalledExactlyOnceWith('unknown')
  await vault().unlock(PASSPHRASE)
})

test('another vault says before the press that it didn’t make the mandate', async () => {
  const request = await askForPayment(vault())
  const mandates = vi.spyOn(vault().mandates, 'list').mockResolvedValue([])
  onTestFinished(() => mandates.mockRestore())
  ask(request)
  const why = 'This vault didn’t make the mandate. Switch to the vault that did.'
  await sees(why)
  const approve = screen.getByRole('button', { name: 'Countersign £12.00', description: why })
  expect(approve.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('switch').getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('button', { name: 'Decline' })).toHaveProperty('disabled', false)
})
