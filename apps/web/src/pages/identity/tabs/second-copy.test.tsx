// A vault that is open from its second copy: whatever would change it says why it can't, before the press.
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'
import { fill } from '../../../test/person.ts'

const { vault, create, load } = openClient()
const WHY = 'You can’t change a vault that is open from its second copy.'

/** Fills the vault, and says from now on that it is open from its second copy. */
async function fromItsCopy(): Promise<void> {
  await create({ recoveryCode: true })
  await vault().generateKey({ label: 'Work' })
  const snapshot = { ...vault().getSnapshot(), fromCopy: true as const }
  vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
}

test.each<[string, readonly (string | RegExp)[]]>([
  ['keys', ['New key', 'Rename Work', 'Make it the default', 'Delete']],
  ['unlock', ['Add a passkey', /^Rename/, /^Remove/, 'Change passphrase', 'Create a new one']],
  ['received', ['Check and add']],
  ['contacts', ['Add a contact']],
])('of the tab “%s”', async (tab, names) => {
  await fromItsCopy()
  await load(`/identity?tab=${tab}`)
  for (const name of names) {
    const [button] = await screen.findAllByRole('button', { name, description: WHY })
    expect(button?.getAttribute('aria-disabled')).toBe('true')
  }
})

test('the time until it locks says so at its field', async () => {
  await fromItsCopy()
  await load('/identity?tab=unlock')
  const choice = await screen.findByRole('combobox', { name: 'Lock', description: WHY })
  expect(choice).toHaveProperty('disabled', true)
})

test('a pasted token isn’t added by its shortcut either', async () => {
  await fromItsCopy()
  const receive = vi.spyOn(vault().tokens, 'receive')
  await load('/identity?tab=received')
  await fill('Token', 'a-token')
  const field = screen.getByLabelText('Token')
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
  await waitFor(() => expect(screen.getByText(WHY)).toBeDefined())
  expect(receive).not.toHaveBeenCalled()
})
