import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openClient } from '../../../test/open-client.tsx'
import { PASSPHRASE, STRANGER } from '../../../test/open-vault.tsx'
import { card, choose, fill, header, lockByHand, press, visit } from '../../../test/person.ts'

const { vault, create, load, reload, address } = openClient()

const grant = () =>
  vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send', label: 'Holiday mails' })

/** A vault with a grant, a wrong passphrase, and its log on the screen. */
async function withHistory(): Promise<HTMLElement> {
  await create()
  await grant()
  await vault().lock()
  await expect(vault().unlock('not the passphrase at all')).rejects.toMatchObject({
    code: 'INVALID_PASSPHRASE',
  })
  await vault().unlock(PASSPHRASE)
  await load('/identity?tab=activity')
  return await card('Entries')
}

/** The lines of the log, once so many are shown. */
async function linesOf(log: HTMLElement, count?: number): Promise<string[]> {
  return await waitFor(() => {
    const lines = within(within(log).getByRole('list', { name: 'Activity' })).getAllByRole('listitem')
    if (count !== undefined) expect(lines).toHaveLength(count)
    return lines.map(({ textContent }) => textContent ?? '')
  })
}

test('what was done is shown, newest first, with what was refused', async () => {
  const log = await withHistory()
  const lines = await linesOf(log)
  expect(lines.filter((line) => line.includes('Created the vault'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('Created a grant'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('not accepted'))).toHaveLength(1)
  expect(lines[0]).toContain('Unlocked')
  expect(lines.at(-1)).toContain('Created the vault')
  // A grant is told by its name, which no stored line has. Its CID and the tab are in the details.
  const granted = (await within(log).findByText('Created a grant')).closest('li') ?? expect.fail()
  const name = await within(granted).findByRole('link', { name: 'Holiday mails' })
  const cid = name.getAttribute('title') ?? ''
  expect(cid).toMatch(/^bafy/)
  const { lines: stored } = await vault().activity.read()
  expect(JSON.stringify(stored)).not.toContain('Holiday mails')
  const tab = stored.at(-1)?.tab ?? ''
  expect(log.textContent).not.toContain(cid)
  expect(log.textContent).not.toContain(tab)
  await press('Details', granted)
  expect(within(granted).getByRole('link', { name: cid })).toBeDefined()
  expect(within(granted).getByText(tab)).toBeDefined()

  await fill('Find', 'created a grant', log)
  await linesOf(log, 1)
  await fill('Find', '', log)
  await choose('Outcome', 'Refused or failed', log)
  expect((await linesOf(log, 1))[0]).toContain('not accepted')
  // The address keeps what was chosen.
  await waitFor(() => expect(address()).toContain('outcome=refused'))
  await reload()
  await within(header()).findByRole('button', { name: 'Unlock' })
  await vault().unlock(PASSPHRASE)
  const again = await card('Entries')
  expect((await linesOf(again, 1))[0]).toContain('not accepted')
  await choose('Action', 'Created the vault', again)
  expect(await within(again).findByText('No matches')).toBeDefined()
  await press('Clear the filters', again)
  await waitFor(() => expect(address()).toMatch(/tab=activity$/))
  await waitFor(async () => expect((await linesOf(again))[0]).toContain('Unlocked'))

  // What a line is about leads on.
  await fill('From', '2100-01-01', again)
  expect(await within(again).findByText('No matches')).toBeDefined()
  await fill('From', '', again)
  const line = (await within(again).findByText('Created a grant')).closest('li')
  fireEvent.click((await within(line ?? expect.fail()).findAllByRole('link'))[0] ?? expect.fail())
  await waitFor(() => expect(address()).toMatch(/^\/search\?q=/))
})

test('it is saved as JSON and as CSV, as it is filtered', async () => {
  const log = await withHistory()
  await linesOf(log)
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) saved.push(file)
    return 'blob:saved'
  })
  const save = async (button: string) => {
    await press(button, log)
    await waitFor(() => expect(saved).toHaveLength(1))
    return (await saved.pop()?.text()) ?? ''
  }
  const all: unknown = JSON.parse(await save('Save as JSON'))
  expect(all).toMatchObject({ format: 'keyhole-activity-v1', missing: [], rewritten: [] })
  await fill('Find', 'created a grant', log)
  await linesOf(log, 1)
  const rows = (await save('Save as CSV')).trimEnd().split('\r\n')
  expect(rows[0]).toBe('number,time,tab,act,outcome,about,device')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatch(/^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,[^,]+,grant,done,/)
})

test('a line that was taken out is missed', async () => {
  await create()
  await grant()
  await grant()
  await load('/identity?tab=activity')
  expect(await screen.findAllByText('Created a grant')).toHaveLength(2)
  expect(screen.queryByText('A part of the activity is missing or altered.')).toBeNull()
  const opening = indexedDB.open(`vault_${vault().getSnapshot().address}`)
  await new Promise<void>((resolve, reject) => {
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const writing = opening.result.transaction('metadata', 'readwrite')
      writing.objectStore('metadata').delete('activity:1')
      writing.oncomplete = () => {
        opening.result.close()
        resolve()
      }
    }
  })
  visit('Settings')
  await screen.findByLabelText('Find a setting')
  visit('Activity')
  expect(await screen.findByText('A part of the activity is missing or altered.')).toBeDefined()
  expect(screen.getByText(/Missing: 1\./)).toBeDefined()
})

test('a locked vault shows nothing of it', async () => {
  await create()
  await load('/identity?tab=activity')
  expect(await screen.findByText('Created the vault')).toBeDefined()
  await lockByHand()
  const gate = await card('The vault is locked')
  expect(screen.queryByText('Created the vault')).toBeNull()
  await fill('Passphrase', PASSPHRASE, gate)
  await press('Unlock', gate)
  expect(await screen.findByText('Created the vault')).toBeDefined()
})

test('a mandate is shown by its name, which leads to its page', async () => {
  await create()
  const { mandate } = await vault().mandates.make({
    ...{ label: 'Tea', payees: ['did:web:tea.example'] },
    ...{ max: 500, currency: 'GBP', budget: { period: 'week', amount: 2_000 } },
  })
  const asked = { origin: 'https://tea.example', order: 'A-1', value: '3.00', currency: 'GBP' }
  await vault().payments.authorize(asked, { mandate: mandate.cid, byItself: true })
  await load('/identity?tab=activity')
  const links = await within(await card('Entries')).findAllByRole('link', { name: 'Tea' })
  // Its own line, and the payment's.
  expect(links).toHaveLength(2)
  for (const link of links) {
    expect(link.getAttribute('href')).toContain(`mandate=${mandate.cid}`)
    expect(link.getAttribute('title')).toBe(mandate.cid)
  }
})

test('a grant without a name is told by the person who has it', async () => {
  await create()
  await vault().contacts.save({ name: 'Anna Berger', kind: 'person', dids: [STRANGER] })
  const { cid } = await vault().tokens.grant({ audience_did: STRANGER, command: '/msg/send' })
  await vault().tokens.revoke({ cid })
  await load('/identity?tab=activity')
  const log = await card('Entries')
  const line = async (act: string) => (await within(log).findByText(act)).closest('li') ?? expect.fail()
  expect(
    await within(await line('Revoked a token')).findByRole('link', { name: 'grant to Anna Berger' }),
  ).toBeDefined()
  expect(
    await within(await line('Created a grant')).findByRole('link', { name: 'Anna Berger' }),
  ).toBeDefined()
  expect(log.textContent).not.toContain('bafy')
})
