import type { StoredToken } from '@keyhole/vault'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { press } from '../../test/person.ts'
import type { ListedToken } from '../tokens/use-tokens.ts'
import { revokeAll } from './revoke-all.ts'
import { RevokeButton } from './revoke-button.tsx'

const { vault, show } = openVault()

async function grant(label: string): Promise<ListedToken> {
  const stored = await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send', label })
  return { ...stored, revoked: false }
}
const revoked = async () => (await vault().tokens.revocations()).map(({ revokes }) => revokes)

test('what was asked about is revoked, however the list changes meanwhile', async () => {
  const [first, second] = [await grant('First'), await grant('Second')]
  let change = (_: readonly ListedToken[]) => {}
  function Listed() {
    const [grants, setGrants] = useState([first])
    change = (next) => setGrants([...next])
    return <RevokeButton grants={grants} />
  }
  show(<Listed />)
  await press('Revoke…')
  const dialog = await screen.findByRole('alertdialog', { name: 'Revoke “First”?' })
  act(() => change([second]))
  expect(screen.getByRole('alertdialog')).toBe(dialog)
  await within(dialog).findByRole('list', { name: 'Who is affected' })
  expect(dialog.textContent).toContain('A service that doesn’t have the revocation yet')
  await press('Revoke it for good', dialog)
  await waitFor(async () => expect(await revoked()).toContain(first.cid))
  expect(await revoked()).not.toContain(second.cid)
})

test('nothing is revoked by the second click on the button that asks, or by Enter on what has the focus', async () => {
  const stored = await grant('Third')
  show(<RevokeButton grants={[stored]} />)
  await press('Revoke…')
  const dialog = await screen.findByRole('alertdialog')
  const button = within(dialog).getByRole('button', { name: 'Revoke it for good' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep it'))
  fireEvent.pointerDown(button)
  fireEvent.click(button, { detail: 2 })
  expect(document.activeElement?.textContent).toBe('Keep it')
  fireEvent.click(document.activeElement ?? dialog)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(await revoked()).not.toContain(stored.cid)
})

test('several are named with what each loses, and revoked together', async () => {
  const all = [await grant('Fourth'), await grant('Fifth')]
  show(<RevokeButton grants={all} />)
  await press('Revoke…')
  const dialog = await screen.findByRole('alertdialog', { name: 'Revoke 2 grants?' })
  const affected = await within(dialog).findByRole('list', { name: 'Who is affected' })
  expect(within(affected).getAllByRole('listitem')).toHaveLength(1)
  expect(affected.textContent).toContain('Fourth, Fifth')
  expect(dialog.textContent).toContain('Services that don’t have the revocations yet')
  const told = within(dialog).getByRole('list', { name: 'What is revoked' })
  expect(within(told).getAllByText(/^You let|send messages/)).not.toHaveLength(0)
  expect(within(told).getAllByRole('listitem')).toHaveLength(2)
  await press('Revoke all 2', dialog)
  await waitFor(async () =>
    expect(await revoked()).toEqual(expect.arrayContaining(all.map(({ cid }) => cid))),
  )
})

test('a suspended mandate is named as suspended where it is revoked', async () => {
  const made = async (label: string) => {
    const budget = { period: 'month', amount: 6_000 } as const
    const terms = { audienceDid: STRANGER, label, max: 1_500, currency: 'EUR', budget }
    const { token, mandate } = await vault().mandates.make(terms)
    await vault().mandates.suspend(mandate.cid, true)
    return { ...token, revoked: false }
  }
  const [first, second, third] = [await made('Groceries'), await made('Books'), await grant('Sixth')]
  const { unmount } = show(<RevokeButton grants={[first]} />)
  await press('Revoke…')
  const one = await screen.findByRole('alertdialog', { name: 'Revoke “Groceries”?' })
  await within(one).findByText('suspended')
  unmount()
  show(<RevokeButton grants={[first, second, third]} />)
  await press('Revoke…')
  const all = await screen.findByRole('alertdialog', { name: 'Revoke 3 grants?' })
  await within(all).findByText('Groceries (suspended), Books (suspended), Sixth')
})

test('one that cannot be revoked holds up no other, and is told', async () => {
  const tried: string[] = []
  const tokens = {
    revoke: async ({ cid }: { cid: string }) => {
      tried.push(cid)
      if (cid === 'b') throw new Error('not this one')
      return {} as StoredToken
    },
  } as unknown as ReturnType<typeof vault>['tokens']
  const done: (string | undefined)[] = []
  const grants = ['a', 'b', 'c'].map((cid) => ({ cid, token: '' }))
  await expect(revokeAll({ tokens }, grants, (cid) => done.push(cid))).rejects.toThrow('not this one')
  expect(tried).toEqual(['a', 'b', 'c'])
  expect(done).toEqual(['a', undefined, 'c'])
})
