import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { openVault, PASSPHRASE, STRANGER } from '../../test/open-vault.tsx'
import { ContactName } from './contact-name.tsx'
import { likelyKind } from './likely-kind.ts'

const { vault, show } = openVault()
afterEach(async () => {
  if (vault().getSnapshot().phase === 'locked') await vault().unlock(PASSPHRASE)
  for (const { id } of await vault().contacts.list()) await vault().contacts.remove(id)
})

const OTHER = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const inDialog = () => within(screen.getByRole('dialog'))
const typeName = (value: string) => fireEvent.change(inDialog().getByLabelText('Name'), { target: { value } })
const save = () => fireEvent.click(inDialog().getByRole('button', { name: 'Save' }))

async function openDialog(suggested?: string) {
  show(<ContactName did={STRANGER} what="the DID" suggested={suggested} />)
  fireEvent.click(await button('Name this key'))
  await screen.findByRole('dialog')
}

// Even before there is a contact.
test.each(['you', 'D\u0456r', 'did:key:z6MkhaXgBZDv', '\u200b', 'x'.repeat(10_000)])(
  '%j is not allowed as a key’s name',
  async (name) => {
    await openDialog()
    typeName(name)
    save()
    await waitFor(() => expect(inDialog().getByLabelText('Name').getAttribute('aria-invalid')).toBe('true'))
    expect(await vault().contacts.list()).toEqual([])
  },
)

test('an unknown key is named once, and its DID is one click away', async () => {
  await openDialog()
  typeName('Anna\u202e  Berger')
  save()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await vault().contacts.list()).toMatchObject([{ name: 'Anna Berger', dids: [STRANGER] }])
  const name = await button('Anna Berger')
  expect(screen.queryByRole('button', { name: 'Name this key' })).toBeNull()
  expect(screen.queryByText(STRANGER)).toBeNull()
  fireEvent.click(name)
  expect(screen.getByText(STRANGER)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Copy the DID' })).toBeDefined()
})

test('a gate is named as a service, unless the owner says otherwise', async () => {
  expect(likelyKind('/relay/revocations/read')).toBe('service')
  expect(likelyKind('/relay/revocations/read/report')).toBe('service')
  expect(likelyKind('/relay')).toBeUndefined()
  expect(likelyKind('/mcp/tools/call')).toBeUndefined()
  show(<ContactName did={STRANGER} what="the DID" kind={likelyKind('/relay/revocations/read')} />)
  fireEvent.click(await button('Name this key'))
  await screen.findByRole('dialog')
  typeName('Office gate')
  save()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await vault().contacts.list()).toMatchObject([{ name: 'Office gate', kind: 'service' }])
})

test('the owner’s own key can’t be someone else’s', async () => {
  show(<ContactName did={vault().getSnapshot().issuerDid ?? ''} what="the DID" />)
  expect(await button('You')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Name this key' })).toBeNull()
})

test('a lock removes the name at once, and doesn’t reveal whether there is one', async () => {
  await vault().contacts.save({ name: 'Anna', dids: [STRANGER] })
  const { container } = show(<ContactName did={STRANGER} what="the DID" />)
  await button('Anna')
  await vault().lock()
  expect(await button('Key (…2doK)')).toBeDefined()
  expect(container.innerHTML).not.toContain('Anna')
  expect(screen.queryByRole('button', { name: 'Name this key' })).toBeNull()
  await vault().unlock(PASSPHRASE)
  expect(await button('Anna')).toBeDefined()
})

test('a stranger’s name is quoted as theirs, cleaned, and accepted only by a click', async () => {
  await openDialog('Anna\u202e\u200b “the bank”')
  expect(inDialog().getByText('Anna \\“the bank\\”')).toBeDefined()
  expect(inDialog().getByLabelText('Name')).toHaveProperty('value', '')
  fireEvent.click(inDialog().getByRole('button', { name: 'Use this name' }))
  expect(inDialog().getByLabelText('Name')).toHaveProperty('value', 'Anna “the bank”')
  typeName('Anna')
  save()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await vault().contacts.list()).toMatchObject([{ name: 'Anna', suggestedName: 'Anna “the bank”' }])
})

test('a name that looks like another contact’s gets a warning, and then both show the end of their keys', async () => {
  const { id } = await vault().contacts.save({ name: 'Anna', dids: [OTHER] })
  await openDialog()
  typeName('\u0410nna')
  expect((await inDialog().findByRole('status')).textContent).toContain('Anna (…ooWp)')
  save()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await button('\\u{410}nna (…2doK)')).toBeDefined()
  await vault().contacts.rename(id, 'Berta')
  expect(await button('\\u{410}nna')).toBeDefined()
})

test('a key can be added to an existing contact', async () => {
  await vault().contacts.save({ name: 'Anna', dids: [OTHER] })
  await openDialog()
  typeName('anna')
  fireEvent.click(await inDialog().findByRole('button', { name: 'Add this key to it' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await vault().contacts.list()).toMatchObject([{ name: 'Anna', dids: [OTHER, STRANGER] }])
})
