import { TokenReader } from '@keyhole/vault/token-reader'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { postRevocations } from '../../../shared/relay/post-revocations.ts'
import { openClient } from '../../../test/open-client.tsx'
import { givenByAnother, PASSPHRASE, STRANGER } from '../../../test/open-vault.tsx'
import { card, choose, fill, lockByHand, press, sees, visit } from '../../../test/person.ts'

const { vault, create, load, reload } = openClient()

afterEach(() => vi.unstubAllGlobals())

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
  const held = await card('Received grants')
  expect(await within(held).findByText('From the giver')).toBeDefined()
  await press('Narrow and pass on', held)
  const form = await card('Narrow and pass on “From the giver”')
  await waitFor(() => expect(document.activeElement).toBe(within(form).getByLabelText('Who')))
  await fill('Who', STRANGER, form)
  await fill('What they can do', '/msgboard', form)
  expect(await within(form).findByText(/You received \/msg, which does not cover \/msgboard\./)).toBeDefined()
  await fill('What they can do', '/msg/send', form)
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

  visit('Check a token')
  await fill('Token', narrowed)
  expect(await screen.findByText(/All 2 links check out/)).toBeDefined()
  const verdict = told(await card('What it says'))
  expect(verdict).toContain('“to” ends with “@example.com”')
  expect(verdict).toContain('“urgent” is true')
  expect(await within(await card('The chain')).findAllByRole('heading', { level: 3 })).toHaveLength(2)
})

test('what was typed outlives a change of tab and a lock', async () => {
  await create()
  await load('/identity?tab=grants')
  await fill('Who', STRANGER)
  await fill('What they can do', '/msg/send')
  visit('Settings')
  await lockByHand()
  visit('Grants')
  const locked = await card('The vault is locked')
  await fill('Passphrase', PASSPHRASE, locked)
  await press('Unlock', locked)
  expect(await screen.findByLabelText('Who')).toHaveProperty('value', STRANGER)
  expect(screen.getByLabelText('What they can do')).toHaveProperty('value', '/msg/send')
})

test('what came from a grant that was revoked has ended', async () => {
  await create()
  const second = await vault().keys.generate({})
  const held = await vault().tokens.grant({ audience_did: second.did, command: '/msg', label: 'To myself' })
  const passedOn = { parent_token: held.token, audience_did: STRANGER, command: '/msg/send' }
  const { cid } = await vault().tokens.narrow({ ...passedOn, label: 'Passed on' })
  await load('/identity?tab=grants')
  const item = await screen.findByRole('article', { name: 'Passed on' })
  await within(item).findByRole('button', { name: /Renew/ })
  await vault().tokens.revoke({ cid: held.cid })
  expect(await within(item).findByText('Revoked: you revoked the grant it came from')).toBeDefined()
  expect(within(item).queryByRole('button', { name: /Renew|Revoke/ })).toBeNull()
  // Counts, filters, search and Home say the same.
  expect(await screen.findByText(/2 grants: 0 active/)).toBeDefined()
  await load('/identity?tab=grants&show=open')
  expect(await screen.findByText('Nothing is active')).toBeDefined()
  await load('/search?q=status:revoked')
  expect(await screen.findByRole('option', { name: /Passed on/ })).toBeDefined()
  await load('/')
  expect(await within(await card('Active grants')).findByText('No one holds a grant from you')).toBeDefined()
  await load(`/identity?tab=grants&token=${cid}`)
  const page = await screen.findByRole('article', { name: 'Passed on' })
  expect(await within(page).findByText('Revoked: you revoked the grant it came from')).toBeDefined()
  expect(within(page).queryByRole('button', { name: /Renew|Revoke/ })).toBeNull()
  // Also after the next start, when nothing is known yet.
  await load('/identity?tab=grants')
  await reload()
  expect(await screen.findByText(/2 grants: 0 active/)).toBeDefined()
})

test('a suspended mandate is counted as suspended, until it is removed', async () => {
  await create()
  await grant('Old door', '/http/get')
  const { mandate } = await vault().mandates.make({
    ...{ audienceDid: STRANGER, label: 'Groceries', max: 1_500, currency: 'EUR' },
    budget: { period: 'month', amount: 6_000 },
  })
  await load('/identity?tab=grants')
  await sees('2 grants: 2 active')
  await vault().mandates.suspend(mandate.cid, true)
  await sees('2 grants: 1 active, 1 suspended')
  // What is suspended is sealed.
  await lockByHand()
  await sees('2 grants: 1 active, 1 mandate active or suspended')
  await fill('Passphrase', PASSPHRASE)
  await press('Unlock', 'The vault is locked')
  await sees('2 grants: 1 active, 1 suspended')
  await press('Revoke…', await screen.findByRole('article', { name: 'Old door' }))
  await screen.findByText('One suspended mandate stays too.')
  expect(screen.queryByText(/^They keep/)).toBeNull()
  await press('Keep it')
  const { id } = (await vault().tokens.list()).find(({ cid }) => cid === mandate.cid) ?? expect.fail()
  await vault().tokens.remove(id)
  await sees('1 grant: 1 active')
})

test('a grant is removed, and put back', async () => {
  await create()
  await grant('Old door', '/http/get')
  await load('/identity?tab=grants')
  fireEvent.click(await within(await card('Granted so far')).findByRole('link', { name: 'Details' }))
  await press('Remove from this vault')
  expect(await screen.findByText('No grants yet')).toBeDefined()
  expect(await vault().tokens.list()).toEqual([])
  await press('Undo')
  await sees('Old door', 'Granted so far')
  expect(screen.queryByText('No grants yet')).toBeNull()
})

test('a revoked grant stays until the relay has its revocation, and can be removed then', async () => {
  let isThere = false
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit = {}) => {
    if (method === 'HEAD') return new Response(null, { headers: { 'Keyhole-Relay': '/relay; store=s' } })
    if (!isThere) return Response.json({ error: 'unavailable' }, { status: 503 })
    const { token } = JSON.parse(String(body))
    return Response.json({ cid: (await vault().tokens.list()).find((each) => each.token === token)?.cid })
  })
  await create()
  const { cid } = await grant('Old door', '/http/get')
  await vault().tokens.revoke({ cid })
  await load(`/identity?tab=grants&token=${cid}`)
  await press('Remove from this vault')
  await screen.findByText('Your relay doesn’t have its revocation yet')
  expect((await vault().tokens.list()).some((each) => each.cid === cid)).toBe(true)
  isThere = true
  expect(await postRevocations(vault(), vault().getSnapshot().address ?? '', Date.now())).toBe('done')
  await press('Remove from this vault')
  await waitFor(async () =>
    expect((await vault().tokens.list()).some((each) => each.cid === cid)).toBe(false),
  )
})

test('without a relay, a revoked grant is removed at once', async () => {
  vi.stubGlobal('fetch', async () => new Response())
  await create()
  const { cid } = await grant('Old door', '/http/get')
  await vault().tokens.revoke({ cid })
  await load(`/identity?tab=grants&token=${cid}`)
  await press('Remove from this vault')
  await waitFor(async () =>
    expect((await vault().tokens.list()).some((each) => each.cid === cid)).toBe(false),
  )
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
  fireEvent.click(await screen.findByText('One that expired or was revoked, deleted after 90 days'))
  const ended = await screen.findByRole('list', { name: 'Expired and revoked grants' })
  expect(await within(ended).findByText('Holiday mails')).toBeDefined()
  expect(within(ended).getByText(/kept until/)).toBeDefined()
  // It has its page until then, at the address it always had.
  fireEvent.click(await within(ended).findByRole('link', { name: 'Details' }))
  const page = await screen.findByRole('article', { name: 'Holiday mails' })
  expect(within(page).queryByRole('button', { name: /Revoke|Renew/ })).toBeNull()
  expect(within(page).queryByText('Hand it over again')).toBeNull()
})

test('a grant has a page of its own that says who has it, within which limits, and where it came from', async () => {
  await create()
  const given = await givenByAnother({
    audience_did: vault().getSnapshot().issuerDid ?? '',
    command: '/msg',
    policy: [['like', '.to', '*@example.com']],
  })
  const held = await vault().tokens.receive(given.token, { label: 'From the giver' })
  const narrowed = await vault().tokens.narrow({
    ...{ parent_token: given.token, audience_did: STRANGER, command: '/msg/send', label: 'Passed on' },
    policy: [['==', '.urgent', true]],
  })
  await load(`/identity?tab=grants&token=${narrowed.cid}`)
  const page = await screen.findByRole('article', { name: 'Passed on' })
  await waitFor(() => expect(document.activeElement).toBe(page))
  // Limits are those of the whole chain.
  await sees('Limits along the chain', 'What it allows')
  expect(told(await card('What it allows'))).toContain('“to” ends with “@example.com”')
  expect(told(await card('What it allows'))).toContain('“urgent” is true')
  await sees(/No one, as far as this vault knows/, 'Who has it')
  expect(await within(await card('Where it came from')).findAllByRole('listitem')).not.toHaveLength(0)
  expect(told(await within(page).findByRole('region', { name: 'payload', hidden: true }))).toContain(
    '/msg/send',
  )
  // A DID is one press away, never first.
  expect(told(page).indexOf('Unknown key')).toBeLessThan(told(page).indexOf('did:key:'))

  // The page of what it was made from knows who it went to.
  await load(`/identity?tab=received&token=${held.cid}`)
  const above = await screen.findByRole('article', { name: 'From the giver' })
  // Only its own key can use it, so nothing here hands it to anyone else.
  expect(within(above).queryByRole('region', { name: 'Hand it over' })).toBeNull()
  await sees(/^Only your key can use it/, 'Its token')
  const passedOn = await within(above).findByRole('list', { name: 'Passed on to' })
  expect(told(passedOn)).toContain(`…${STRANGER.slice(-4)}`)
  // It can be read while the vault is locked.
  await lockByHand()
  expect(await screen.findAllByRole('article', { name: 'do anything with messages' })).not.toHaveLength(0)
})

test('an address of a grant that is gone says so and leads to the list', async () => {
  await create()
  await load('/identity?tab=grants&token=bafyreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi')
  await sees('This grant isn’t in this vault')
  await press('All grants')
  await sees('No grants yet')
})

/** Stores many grants as they are stored after signing. */
async function storeMany(count: number): Promise<void> {
  const { cid } = await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send' })
  const [like] = (await vault().tokens.list()).filter((each) => each.cid === cid)
  const opening = indexedDB.open(`vault_${vault().getSnapshot().address}`)
  await new Promise((resolve) => opening.addEventListener('success', resolve))
  const transaction = opening.result.transaction('tokens', 'readwrite')
  for (let at = 1; at < count; at += 1)
    transaction.objectStore('tokens').put({ ...like, id: `many-${at}`, cid: `bafymany${at}` })
  await new Promise((resolve) => transaction.addEventListener('complete', resolve))
  opening.result.close()
}

test('of many grants the first are listed before they are counted, and nothing says that there are none', async () => {
  await create()
  await storeMany(600)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const chunks = TokenReader.prototype.chunks
  vi.spyOn(TokenReader.prototype, 'chunks').mockImplementation(async function* (this: TokenReader, size) {
    await released
    yield* chunks.call(this, size)
  })
  await load('/identity?tab=grants')
  const [first] = await screen.findAllByRole('article')
  const list = screen.getByRole('list', { name: 'Tokens' })
  const granted = await card('Granted so far')
  expect(within(granted).getByRole('status').textContent).toBe('')
  expect(within(list).getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('-1')
  await choose('Show', 'Active', granted)
  expect(await within(list).findAllByRole('article')).not.toHaveLength(0)
  expect(screen.queryByText(/No grants yet|Nothing is active|\b0 /)).toBeNull()

  release()
  await sees('600 grants: 600 active', granted)
  const size = () => within(list).getAllByRole('listitem')[0]?.getAttribute('aria-setsize')
  await waitFor(() => expect(size()).toBe('600'))
  expect(within(list).getAllByRole('article')[0]).toBe(first)
})
