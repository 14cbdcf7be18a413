import type { StoredToken } from '@keyhole/vault'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { givenByAnother, openVault, STRANGER } from '../../test/open-vault.tsx'
import { latestEnd, renew, sameLength } from './renew.ts'
import { RenewButton } from './renew-button.tsx'
import { isRenewable } from './renewable.ts'

const { vault, show } = openVault()
const HOUR = 3600
const now = () => Math.floor(Date.now() / 1000)

const grant = (label?: string) =>
  vault().tokens.grant({
    audience_did: STRANGER,
    command: '/msg/send',
    policy: [['like', '.to', '*@example.com']],
    expires_at: now() + HOUR,
    ...(label !== undefined && { label }),
  })

/** Something held until an hour from now, passed on until half an hour from now. */
async function passedOn(): Promise<StoredToken> {
  const { token } = await givenByAnother({
    audience_did: vault().getSnapshot().issuerDid ?? '',
    command: '/msg',
    policy: [['==', '.urgent', true]],
    expires_at: now() + HOUR,
  })
  const held = await vault().tokens.receive(token)
  return await vault().tokens.narrow({
    parent_token: held.token,
    leaf: held.cid,
    audience_did: STRANGER,
    command: '/msg/send',
    policy: [['like', '.to', '*@example.com']],
    expires_at: now() + HOUR / 2,
  })
}

test('a grant is signed again as it was, with another end, and the one before stays', async () => {
  const before = await grant('Mails')
  expect(isRenewable(before)).toBe(true)
  const end = now() + 30 * 24 * HOUR
  const after = await renew(vault(), before, end)
  expect(after).toMatchObject({
    ...{ type: 'origin', audienceDid: STRANGER, command: '/msg/send', label: 'Mails', keyId: before.keyId },
    expiresAt: end * 1000,
  })
  expect(after.policy).toEqual(before.policy)
  expect(after.cid).not.toBe(before.cid)
  expect(await vault().tokens.verify({ token: before.token })).toMatchObject({ valid: true })
})

test('a grant that starts later still does, and so does one that was passed on', async () => {
  const start = now() + 10 * HOUR
  const before = await vault().tokens.grant({
    ...{ audience_did: STRANGER, command: '/msg/send', not_before: start, expires_at: start + HOUR },
  })
  const { notBefore, expiresAt } = await renew(vault(), before, start + 2 * HOUR)
  expect({ notBefore, expiresAt }).toEqual({ notBefore: start * 1000, expiresAt: (start + 2 * HOUR) * 1000 })
  const { token } = await givenByAnother({
    ...{ audience_did: vault().getSnapshot().issuerDid ?? '', command: '/msg', expires_at: start + 9 * HOUR },
  })
  const passed = await vault().tokens.narrow({
    ...{ parent_token: token, audience_did: STRANGER, command: '/msg', not_before: start },
    expires_at: start + HOUR,
  })
  expect((await renew(vault(), passed, start + 2 * HOUR)).notBefore).toBe(start * 1000)
})

test('what was passed on is extended from what it comes from, and never past its end', async () => {
  const before = await passedOn()
  const latest = await latestEnd(vault(), before)
  expect(latest).toBeGreaterThan(Number(before.expiresAt) / 1000)
  const after = await renew(vault(), before, now() + 365 * 24 * HOUR)
  expect(after.expiresAt).toBe(Number(latest) * 1000)
  const checked = await vault().tokens.verify({ token: after.token })
  // Two links as before, not three: it continues the same one.
  expect(checked).toMatchObject({ valid: true, chain: [{}, {}] })
  expect(JSON.stringify(checked)).toContain('.urgent')
})

test('a sooner end than its parent’s is kept', async () => {
  const before = await passedOn()
  const end = now() + 3 * (HOUR / 4)
  expect((await renew(vault(), before, end)).expiresAt).toBe(end * 1000)
})

test('a grant lasts as long as before, counted from its start or from when it was made', () => {
  const [at, day] = [1_800_000_000, 24 * HOUR]
  const made = { createdAt: at * 1000 + 700, expiresAt: (at + 7 * day) * 1000 }
  const later = (at + 6 * day) * 1000
  expect(sameLength(made, later)).toBe(at + 13 * day)
  // It was renewed before, and still says when the first one started.
  expect(sameLength({ ...made, notBefore: (at - day) * 1000 }, later)).toBe(at + 13 * day)
  expect(sameLength({ ...made, notBefore: (at + day) * 1000 }, later)).toBe(at + 12 * day)
  expect(sameLength({ ...made, notBefore: (at + day) * 1000 }, at * 1000)).toBe(at + 7 * day)
  expect(sameLength({ createdAt: made.createdAt }, later)).toBeUndefined()
})

test('by default a grant is renewed for as long as it lasted, and never past what it comes from', async () => {
  const short = { ...(await grant('For an hour')), revoked: false }
  const passed = { ...(await passedOn()), revoked: false, createdAt: Date.now() - 2 * HOUR * 1000 }
  const latest = await latestEnd(vault(), passed)
  const known = new Set((await vault().tokens.list()).map(({ id }) => id))
  show(<RenewButton grants={[short, passed]} />)
  fireEvent.click(screen.getByRole('button', { name: 'Renew…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Renew 2 grants' })
  expect(dialog.textContent).toContain('Same length again, from now')
  const asked = now()
  fireEvent.click(screen.getByRole('button', { name: 'Sign again' }))
  expect(await screen.findAllByRole('button', { name: 'Copy the link' })).toHaveLength(2)
  const made = (await vault().tokens.list()).filter(({ id }) => !known.has(id))
  const ends = made.map(({ expiresAt = 0 }) => expiresAt / 1000).sort((a, b) => a - b)
  expect(ends).toContain(latest)
  const again = made.find(({ label }) => label === 'For an hour')?.expiresAt ?? 0
  expect(again / 1000 - asked - HOUR).toBeGreaterThanOrEqual(0)
  expect(again / 1000 - asked - HOUR).toBeLessThan(60)
})

test('a budget is not renewed: nobody would count it', async () => {
  const before = await grant()
  expect(isRenewable({ ...before, command: '/payment/request' })).toBe(false)
  expect(isRenewable({ ...before, subject: null })).toBe(false)
  expect(isRenewable({ ...before, type: 'received' })).toBe(false)
})

test('the dialog shows what it will sign, and the new token to hand over', async () => {
  const before = { ...(await grant('Renewed by hand')), revoked: false }
  const count = async () => (await vault().tokens.list()).filter(({ label }) => label === before.label).length
  show(<RenewButton grants={[before]} />)
  fireEvent.click(screen.getByRole('button', { name: 'Renew…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Renew “Renewed by hand”' })
  expect(dialog.textContent).toContain('“to” ends with “@example.com”')
  expect(await count()).toBe(1)
  fireEvent.click(screen.getByRole('button', { name: 'Sign again' }))
  expect(await screen.findByRole('button', { name: 'Copy the link' })).toBeDefined()
  await waitFor(async () => expect(await count()).toBe(2))
})

test('the dialog shows the sentence of each of several grants before it signs them', async () => {
  const start = now() + 2 * HOUR
  const made = [
    await grant('The first of two'),
    await vault().tokens.grant({
      ...{ audience_did: STRANGER, command: '/file/read', not_before: start, expires_at: start + HOUR },
    }),
  ]
  const count = async () => (await vault().tokens.list()).length
  const before = await count()
  show(<RenewButton grants={made.map((each) => ({ ...each, revoked: false }))} />)
  fireEvent.click(screen.getByRole('button', { name: 'Renew…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Renew 2 grants' })
  const list = await within(dialog).findByRole('list', { name: 'What you sign' })
  const [first, second, ...others] = within(list).getAllByRole('listitem')
  expect(others).toEqual([])
  expect(first?.textContent).toContain('The first of two')
  expect(first?.textContent).toContain('“to” ends with “@example.com”')
  expect(second?.textContent).toMatch(/read files, with no limits, from .+ until /)
  expect(await count()).toBe(before)
  fireEvent.click(screen.getByRole('button', { name: 'Sign again' }))
  expect(await screen.findAllByRole('button', { name: 'Copy the link' })).toHaveLength(2)
  expect(await count()).toBe(before + 2)
})

test('locked, a grey button says why, and the keyboard reaches it', async () => {
  const stored = { ...(await grant()), revoked: false }
  await vault().lock()
  show(<RenewButton grants={[stored]} />)
  const button = await screen.findByRole('button', { name: 'Renew…' })
  expect(button.title).toBe('Unlock to renew it')
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(button.hasAttribute('disabled')).toBe(false)
})
