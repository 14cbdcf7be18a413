// What a payment request by link says, with the real enclave. The answers themselves are tested in payment-form.test.tsx.
import { requestText } from '@keyhole/connect'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { askForPayment } from '../../test/asked-payment.ts'
import { openVault, PASSPHRASE } from '../../test/open-vault.tsx'
import { fill, press, sees } from '../../test/person.ts'
import { SeesAll } from '../../test/sees-all.ts'
import ConnectPage from './connect-page.tsx'

const { vault, show } = openVault()
/** A browser without a vault. */
const NOTHING = { phase: 'empty', accounts: [], lost: [] } as const

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', SeesAll)
})
afterEach(() => {
  vi.unstubAllGlobals()
  location.hash = ''
})

const declined = async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Decline' }))
  await screen.findByRole('heading', { name: 'Declined' })
}

test('a payment request by link speaks of a payment, not of access or a grant', async () => {
  location.hash = requestText({ invocation: await askForPayment(vault()) })
  show(<ConnectPage />)
  await screen.findByRole('heading', { name: 'Someone is asking you to approve a payment', level: 1 })
  await sees(/asks this vault to pay/)
  await sees('We can’t tell who sent this.')
  expect(document.body.textContent).not.toMatch(/access|grant/i)
})

test('without a vault, no one is led to make one, which could not pay it', async () => {
  location.hash = requestText({ invocation: await askForPayment(vault()) })
  const { address, ...snapshot } = vault().getSnapshot()
  expect(address).toBeDefined()
  const empty = vi.spyOn(vault(), 'getSnapshot')
  onTestFinished(() => empty.mockRestore())
  const nothing = { ...snapshot, ...NOTHING }
  empty.mockReturnValue(nothing)
  show(<ConnectPage />)
  await sees('There is no vault in this browser yet')
  await sees(/^Only the vault that made the mandate can pay this\./)
  expect(screen.queryByRole('link', { name: 'Create vault' })).toBeNull()
})

test('after a payment is declined, nothing untrue is said of what was signed before', async () => {
  const request = await askForPayment(vault())
  location.hash = requestText({ invocation: request })
  await vault().payments.countersign(request)
  await vault().lock()
  show(<ConnectPage />)
  await declined()
  await sees(
    'The person who asked won’t know unless you tell them. If you countersigned it before, that still counts.',
  )
  expect(screen.queryByText(/Nothing was signed/)).toBeNull()
  await vault().unlock(PASSPHRASE)
})

test('a payment that the open vault never countersigned is declined without a doubt', async () => {
  location.hash = requestText({ invocation: await askForPayment(vault()) })
  show(<ConnectPage />)
  await screen.findByRole('button', { name: 'Countersign £12.00' })
  await waitFor(async () => expect(await vault().payments.list()).toBeDefined())
  await declined()
  await sees('Nothing was signed now. The person who asked won’t know unless you tell them.')
})

test('a press without a request says to paste one, and typing takes that back', async () => {
  location.hash = ''
  show(<ConnectPage />)
  await press('Read request')
  await sees('Paste the request first.')
  await fill('The request', 'k')
  expect(screen.queryByText('Paste the request first.')).toBeNull()
  await press('Read request')
  await sees(/^This isn’t a request, or part of it is missing\./)
})
