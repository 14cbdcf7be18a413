import { devicesOf, type LimitedState } from '@keyhole/vault/devices'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openVault } from '../../test/open-vault.tsx'
import { press, sees } from '../../test/person.ts'
import { LeaveLimited } from './leave-limited.tsx'

const { vault, show } = openVault()
const STOP = 'Stop being a limited device'
const LIMITED: LimitedState = { relay: 'https://vault.example/relay', isRemoved: false }

/** What is asked before it stops. @param leaveLimited what happens then */
async function asked(leaveLimited: () => Promise<void>, limited = LIMITED): Promise<HTMLElement> {
  show(<LeaveLimited limited={limited} devices={{ leaveLimited }} />)
  await press(STOP)
  return await screen.findByRole('alertdialog', { name: `${STOP}?` })
}

test('what stays and what ends is said before one press that is confirmed', async () => {
  const leave = vi.fn(async () => undefined)
  const dialog = await asked(leave)
  await sees(/keeps its keys, grants and contacts/, dialog)
  await sees(/no longer asks the relay about the other vault/, dialog)
  await sees(/still works until it expires or is revoked/, dialog)
  await sees(/If it still lists this device, remove it there too/, dialog)
  expect(within(dialog).queryByText(/mandates are suspended/)).toBeNull()
  expect(leave).not.toHaveBeenCalled()
  await press(STOP, dialog)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(leave).toHaveBeenCalledTimes(1)
})

test('one that was removed is not told to be removed again', async () => {
  const dialog = await asked(async () => undefined, { ...LIMITED, isRemoved: true })
  await sees(/keeps its keys, grants and contacts/, dialog)
  expect(within(dialog).queryByText(/remove it there too/)).toBeNull()
})

test('nothing happens by the second click on the button that asks, or if a person cancels', async () => {
  const leave = vi.fn(async () => undefined)
  const dialog = await asked(leave)
  const button = within(dialog).getByRole('button', { name: STOP })
  fireEvent.pointerDown(button)
  fireEvent.click(button, { detail: 2 })
  await press('Cancel', dialog)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(leave).not.toHaveBeenCalled()
})

test('that mandates are suspended is said if there are any', async () => {
  await vault().mandates.make({
    ...{ payees: ['did:web:shop.example'], max: 5_000, currency: 'GBP' },
    budget: { period: 'month', amount: 20_000 },
  })
  const dialog = await asked(async () => undefined)
  await sees(/mandates are suspended until you resume them/, dialog)
})

test('a vault that is no limited device says so in words', async () => {
  const dialog = await asked(() => devicesOf(vault()).leaveLimited())
  await press(STOP, dialog)
  expect((await within(dialog).findByRole('alert')).textContent).toContain(
    'This vault isn’t a limited device.',
  )
})

test('a vault that is open from its second copy says why it can’t', async () => {
  const snapshot = { ...vault().getSnapshot(), fromCopy: true as const }
  const seen = vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
  onTestFinished(() => seen.mockRestore())
  show(<LeaveLimited limited={LIMITED} devices={devicesOf(vault())} />)
  const description = 'You can’t change a vault that is open from its second copy.'
  const button = await screen.findByRole('button', { name: STOP, description })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})
