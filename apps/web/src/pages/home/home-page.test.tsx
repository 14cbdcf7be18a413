import { fetchUses } from '@keyhole/vault/uses'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { setWaiting } from '../../shared/relay/waiting.ts'
import { openClient } from '../../test/open-client.tsx'
import { PASSPHRASE, STRANGER } from '../../test/open-vault.tsx'
import { card, fill, lockByHand, press, sees } from '../../test/person.ts'
import { reportingGate } from '../../test/reporting-gate.ts'

const { vault, create, load } = openClient()

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const grant = (label: string, expiresIn?: number) =>
  vault().tokens.grant({
    audience_did: STRANGER,
    command: '/msg/send',
    label,
    ...(expiresIn !== undefined && { expires_at: Math.floor(Date.now() / 1000) + expiresIn }),
  })

/** An account whose backup is checked and whose storage is safe. */
async function createInOrder(): Promise<void> {
  await create()
  const health = { ...(await vault().accounts.storageHealth()), persisted: true, mirror: 'whole' } as const
  vi.spyOn(vault().accounts, 'storageHealth').mockResolvedValue(health)
  vi.spyOn(vault().backups, 'health').mockResolvedValue({
    writtenAt: 1,
    verifiedAt: 2,
    changedSince: false,
  })
}

/** The titles of the page's parts, from the top. */
const parts = () =>
  within(screen.getByRole('main'))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent)

test('with nothing to do and nothing granted, it says so and what to do first', async () => {
  await createInOrder()
  await load('/')
  await sees('Nothing needs your attention.')
  await sees('No one holds a grant from you', 'Active grants')
  await sees('Created the vault', 'Last activity')
  expect(parts()).toEqual(['Active grants', 'Last activity'])
})

test('what needs the person comes first, and a grant that expires soon is marked in both places', async () => {
  await createInOrder()
  await grant('Weather', 300)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 285_000 })
  await load('/')
  await card('Needs attention')
  await sees('One grant expires soon', 'Needs attention')
  expect(parts()).toEqual(['Needs attention', 'Active grants', 'Last activity'])
  expect(screen.queryByText('Nothing needs your attention.')).toBeNull()
  const row = await within(await card('Active grants')).findByRole('link', { name: /^Weather: / })
  expect(within(row).getByText(/^expires /).className).toContain('warn')
})

test('the grants of a contact with two keys are together, and the log says who each was for', async () => {
  await createInOrder()
  const other = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
  await vault().contacts.save({ name: 'Anna', dids: [STRANGER, other] })
  await grant('Weather', 100_000)
  await grant('News', 300_000)
  await vault().tokens.grant({ audience_did: other, command: '/msg/send', label: 'Mails' })
  await load('/?view=graph')
  const holders = await screen.findByRole('list', { name: 'Who holds something of yours' })
  expect(await within(holders).findByRole('button', { name: 'Anna: 3 grants' })).toBeDefined()
  expect(within(holders).getAllByRole('button')).toHaveLength(1)
  await sees('News · Anna', 'Last activity')
  await press('Timeline')
  const timeline = await screen.findByRole('region', { name: 'Timeline of active grants' })
  expect(within(timeline).getAllByRole('button', { name: 'Anna' })).toHaveLength(1)
  expect(within(timeline).getAllByRole('link')).toHaveLength(3)
})

test('what the relay has not heard is told of, until it has', async () => {
  await createInOrder()
  await load('/')
  await sees('Nothing needs your attention.')
  const { address = '' } = vault().getSnapshot()
  act(() => setWaiting(address, 2))
  await sees('Your relay doesn’t have 2 revocations yet', 'Needs attention')
  act(() => setWaiting(address, 0))
  await sees('Nothing needs your attention.')
})

test('of many grants it shows the next to expire, and more when asked', async () => {
  await createInOrder()
  for (let n = 1; n <= 52; n++) await grant(`Grant ${n}`, n * 100_000)
  await load('/')
  await sees('52 active grants.', 'Active grants')
  const rows = () =>
    within(screen.getByRole('region', { name: 'Timeline of active grants' })).getAllByRole('link')
  expect(rows()).toHaveLength(8)
  expect(rows()[0]?.textContent).toMatch(/^Grant 1: /)
  await press('Show more of the 44 that expire later')
  await waitFor(() => expect(rows()).toHaveLength(52))
})

test('the grants that were used last, as their gate says, come below', async () => {
  await createInOrder()
  const { gate, grant: grantTo, serve, given } = reportingGate(vault)
  await grantTo(await gate.did(), '/relay/revocations/read')
  const [files, mail] = [await given('Files'), await given('Mail')]
  const used = ({ stored, shown }: typeof files, at: number, name: string) => ({
    ...{ cid: stored.cid, used: 1, refused: 0, shown },
    last: { at, server: 'work', command: '/mcp/tools/call', name, outcome: 'ok' },
  })
  const now = Date.now()
  const grants = [used(files, now - 3_600_000, 'read\u202etxt'), used(mail, now - 60_000, 'send')]
  serve({ since: 1, at: now, left: 0, grants })
  await fetchUses(vault(), 'https://vault.example/relay')
  await load('/')
  const place = await card('Used lately')
  const lately = within(place)
  await lately.findByRole('link', { name: 'Files' })
  expect(lately.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Mail', 'Files'])
  expect(place.textContent).toContain('“send” at “work”, says the gate')
  expect(place.textContent).toContain('“read\\u{202e}txt” at “work”, says the gate')
  expect(parts().at(-1)).toBe('Used lately')
  await lockByHand()
  await waitFor(() => expect(parts()).not.toContain('Used lately'))
})

test('while it is being read, it says so to everyone', async () => {
  await createInOrder()
  vi.spyOn(vault().accounts, 'storageHealth').mockReturnValue(new Promise(() => undefined))
  await load('/')
  const reading = await screen.findByText('Reading what is stored…')
  expect(reading.closest('[role=status]')).not.toBeNull()
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull()
})

test('locked, it begins with the way to unlock, and shows nothing that is sealed', async () => {
  await createInOrder()
  await grant('Weather')
  await load('/')
  await sees('Nothing needs your attention.')
  await lockByHand()
  await sees('Activity is encrypted. Unlock the vault to read it.', 'Last activity')
  expect(parts()).toEqual(['The vault is locked', 'Active grants', 'Last activity'])
  expect(screen.queryByText(/Weather/)).toBeNull()
  expect(screen.queryByText('Nothing needs your attention.')).toBeNull()
  // What only an open vault knows may need attention.
  await sees('Unlock the vault to check its backup, recovery code and mandates.')
  await fill('Passphrase', PASSPHRASE, 'The vault is locked')
  await press('Unlock', 'The vault is locked')
  await sees('Nothing needs your attention.')
  expect((await screen.findAllByText(/Weather/)).length).toBeGreaterThan(0)
})

test('a mandate is told as in every list: with the budget that this vault counts, and as suspended', async () => {
  await createInOrder()
  const { mandate } = await vault().mandates.make({
    ...{ audienceDid: STRANGER, label: 'Groceries' },
    ...{ max: 1_500, currency: 'EUR', budget: { period: 'month', amount: 6_000 } },
  })
  await load('/')
  const row = await within(await card('Active grants')).findByRole('link', { name: /^Groceries: / })
  await waitFor(() => expect(row.textContent).toContain('Budget: at most €60.00 a month'))
  expect(row.textContent).not.toContain('The token does not say how much')
  expect(within(row).getByText(/^expires in/)).toBeDefined()
  await grant('Weather')
  await sees('2 active grants.', 'Active grants')
  await act(() => vault().mandates.suspend(mandate.cid, true))
  await within(row).findByText('suspended')
  await waitFor(async () =>
    expect((await card('Active grants')).textContent).toContain('One active grant. One suspended mandate.'),
  )
  expect(within(row).queryByText(/^expires in/)).toBeNull()
  await lockByHand()
  await waitFor(async () =>
    expect((await card('Active grants')).textContent).toContain(
      'One active grant. One mandate, active or suspended.',
    ),
  )
  // Its row doesn't say more than that, and the other one stays active.
  expect(screen.getAllByText('may be suspended')).toHaveLength(1)
})
