import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openClient } from '../../test/open-client.tsx'
import { givenByAnother, PASSPHRASE, STRANGER } from '../../test/open-vault.tsx'
import { card, fill, lockByHand, openTab, press, sees } from '../../test/person.ts'

const { vault, create, load, reload } = openClient()

const grant = (label: string, command = '/msg/send') =>
  vault().tokens.grant({ audience_did: STRANGER, command, label })

const told = (element: HTMLElement) => element.textContent ?? ''

test('a held token is narrowed and passed on, and never widened', async () => {
  await create()
  const given = await givenByAnother({
    audience_did: vault().getSnapshot().issuerDid ?? '',
    command: '/msg',
    policy: [['like', '.to', '*@example.com']],
  })
  await vault().tokens.receive(given.token, { label: 'From the giver' })
  await load('/identity?tab=received')
  const held = await card('Given to you')
  expect(await within(held).findByText('From the giver')).toBeDefined()
  await press('Narrow and pass on', held)
  const form = await card('Narrow and pass on')
  await waitFor(() => expect(document.activeElement).toBe(within(form).getByLabelText('To whom')))
  await fill('To whom', STRANGER, form)
  await fill('May do what', '/msgboard', form)
  expect(await within(form).findByText(/You hold \/msg, which does not cover \/msgboard\./)).toBeDefined()
  await fill('May do what', '/msg/send', form)
  await press('Add a limit', form)
  await fill('Limit 1: field', 'urgent', form)
  await fill('Limit 1: value', 'true', form)
  // What is inherited holds as well, and is told with it.
  const preview = await card('What you are about to sign')
  const both = '“to” ends with “@example.com”, and “urgent” is true'
  await waitFor(() => expect(told(preview)).toContain(both))
  await press('Sign and pass on', form)
  const signed = await card('Signed and stored')
  const narrowed = told(await within(signed).findByRole('region', { name: 'token' })).trim()

  await openTab('Check a token')
  await fill('Token', narrowed)
  expect(await screen.findByText(/All 2 links fit/)).toBeDefined()
  const verdict = told(await card('What it says'))
  expect(verdict).toContain('“to” ends with “@example.com”')
  expect(verdict).toContain('“urgent” is true')
  expect(within(await card('The chain')).getAllByRole('heading', { level: 3 })).toHaveLength(2)
})

test('what was typed outlives a change of tab and a lock', async () => {
  await create()
  await load('/identity?tab=grants')
  await fill('To whom', STRANGER)
  await fill('May do what', '/msg/send')
  await openTab('Keys')
  await lockByHand()
  await openTab('Grants')
  const locked = await card('The vault is locked')
  await fill('Passphrase', PASSPHRASE, locked)
  await press('Unlock', locked)
  expect(await screen.findByLabelText('To whom')).toHaveProperty('value', STRANGER)
  expect(screen.getByLabelText('May do what')).toHaveProperty('value', '/msg/send')
})

test('a grant is removed, and put back', async () => {
  await create()
  await grant('Old door', '/http/get')
  await load('/identity?tab=grants')
  await press('Details', 'Granted so far')
  await press('Remove from this vault', 'Granted so far')
  expect(await screen.findByText('Nothing is out there')).toBeDefined()
  expect(await vault().tokens.list()).toEqual([])
  await press('Undo')
  await sees('Old door', 'Granted so far')
  expect(screen.queryByText('Nothing is out there')).toBeNull()
})

const settled = <T,>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Puts the only grant away as the clean-up does once it has ended: a person would wait a day for it. */
async function putAway(): Promise<void> {
  const name = `vault_${vault().getSnapshot().address}`
  const database = await settled(indexedDB.open(name))
  const stores = database.transaction(['tokens', 'metadata'], 'readwrite')
  const tokens = stores.objectStore('tokens')
  const [record] = await settled(tokens.getAll())
  const expiresAt = Date.now() - 60_000
  const key = `ended:tokens:${record.id}`
  const about = { accountAddress: name, key, updatedAt: expiresAt, sealed: '-', store: 'tokens' }
  stores.objectStore('metadata').put({ id: key, ...about, record: { ...record, expiresAt } })
  await settled(tokens.delete(record.id))
  database.close()
}

test('a grant whose end has passed stands below the others while the vault keeps it', async () => {
  await create()
  await grant('Holiday mails')
  await load('/identity?tab=grants')
  await putAway()
  await reload()
  await waitFor(() => expect(vault().getSnapshot().phase).toBe('locked'))
  await vault().unlock(PASSPHRASE)
  fireEvent.click(await screen.findByText('One that has ended, kept for 90 days'))
  const ended = await screen.findByRole('list', { name: 'Ended tokens' })
  expect(await within(ended).findByText('Holiday mails')).toBeDefined()
  expect(within(ended).getByText(/kept until/)).toBeDefined()
})
