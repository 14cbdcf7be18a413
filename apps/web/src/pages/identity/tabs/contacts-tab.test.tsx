import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'
import { STRANGER } from '../../../test/open-vault.tsx'
import { card, press } from '../../../test/person.ts'

const { vault, create, load } = openClient()

const OTHER = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'

const grant = (audience_did: string, label: string) =>
  vault().tokens.grant({ audience_did, command: '/msg/send', label })

const revoked = async () => (await vault().tokens.revocations()).map(({ revokes }) => revokes).sort()

/** Opens a contact, and asks for everything it holds to be revoked. */
async function askToRevoke(dids: readonly string[]): Promise<HTMLElement> {
  const { id } = await vault().contacts.save({ name: 'Anna', dids })
  await load(`/identity?tab=contacts&contact=${id}`)
  await press('Revoke everything…', await card('What you granted'))
  return await screen.findByRole('alertdialog')
}

test('everything for one contact is revoked, by all its keys, and nothing of another’s', async () => {
  await create()
  const { did = '' } = await vault().generateKey({ label: 'Phone' })
  const gone = [await grant(STRANGER, 'One'), await grant(OTHER, 'Two'), await grant(OTHER, 'Three')]
  await grant(did, 'Stays')
  const dialog = await askToRevoke([STRANGER, OTHER])
  // Nothing happens before it is confirmed, by one press. Who loses what is said above the button.
  expect(await revoked()).toEqual([])
  const affected = await within(dialog).findByRole('list', { name: 'Who is affected' })
  expect(affected.textContent).toContain('One')
  expect(affected.textContent).toMatch(/Two, Three|Three, Two/)
  await press('Revoke everything', dialog)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(await revoked()).toEqual(gone.map(({ cid }) => cid).sort())
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke everything…' })).toBeNull())
  // All their revocations are handed over in one step, one a line.
  const written: string[] = []
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void written.push(text))
  await press('Copy all revocations')
  const tokens = (await vault().tokens.revocations()).map(({ token }) => token)
  expect(written.join().split('\n').sort()).toEqual(tokens.sort())
  await waitFor(() => expect(document.activeElement?.textContent).toContain('3 grants revoked'))
})

test('a vault that is open from its second copy says why nothing is revoked', async () => {
  await create()
  await grant(STRANGER, 'One')
  const { id } = await vault().contacts.save({ name: 'Anna', dids: [STRANGER] })
  await load(`/identity?tab=contacts&contact=${id}`)
  const held = await card('What you granted')
  await within(held).findByRole('button', { name: 'Revoke everything…' })
  const snapshot = { ...vault().getSnapshot(), fromCopy: true as const }
  vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
  // The page looks at the vault again.
  await vault().contacts.save({ name: 'Bob' })
  const why = 'You can’t change a vault that is open from its second copy.'
  expect(await within(held).findByText(why)).toBeDefined()
  const revoke = within(held).getByRole('button', { name: 'Revoke everything…', description: why })
  expect(revoke.getAttribute('aria-disabled')).toBe('true')
  for (const name of ['Edit…', 'Delete Anna']) expect(screen.getByRole('button', { name }).title).toBe(why)
})

test('one grant that cannot be revoked holds up no other, and is said', async () => {
  await create()
  const [first, second] = [await grant(STRANGER, 'One'), await grant(STRANGER, 'Two')]
  const dialog = await askToRevoke([STRANGER])
  const revoke = vault().tokens.revoke.bind(vault().tokens)
  vi.spyOn(vault().tokens, 'revoke').mockImplementation(async (request) => {
    // A key that is not in this vault.
    return await revoke(request.cid === first.cid ? { ...request, key_id: 'none' } : request)
  })
  await press('Revoke everything', dialog)
  expect((await within(dialog).findByRole('alert')).textContent).not.toBe('')
  expect(await revoked()).toEqual([second.cid])
})
