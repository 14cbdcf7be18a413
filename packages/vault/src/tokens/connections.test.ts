import { describe, expect, it } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { freshBrowser, rawAll } from '../test/browser.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const NEXT_HOUR = Math.floor(Date.now() / 1000) + 3600

const vaults = new OpenVaults()

async function unlocked(): Promise<{ vault: KeyVault; address: string }> {
  const vault = await vaults.start()
  const { address } = await vault.create(openedByPasskey())
  return { vault, address }
}

it('sessions are listed until they expire, and ended one by one or all at once', async () => {
  const { vault, address } = await unlocked()
  const changes: string[] = []
  vault.on('vault:changed', ({ change }) => changes.push(change))
  const later = Date.now() + 60_000
  const calendar = await vault.client.saveSession(later)
  await vault.client.saveSession(later)
  await vault.client.saveSession(later)
  await vault.client.saveSession(Date.now() - 1)
  expect(await vault.sessions.list()).toHaveLength(3)

  await vault.sessions.end(calendar.id)
  expect((await vault.sessions.list()).map(({ id }) => id)).not.toContain(calendar.id)
  expect(await vault.sessions.endAll()).toBe(3)
  expect(await rawAll(address, 'sessions')).toEqual([])
  expect(await vault.sessions.endAll()).toBe(0)
  // Four were stored, and sessions were ended twice.
  expect(changes).toEqual(new Array(6).fill('sessions'))
  const { lines } = await vault.activity.read()
  expect(lines.slice(-2)).toMatchObject([
    { act: 'endSession', about: { sessions: 1, id: calendar.id } },
    { act: 'endSession', about: { sessions: 3 } },
  ])
})

it('sessions are not ended while the account is locked', async () => {
  const { vault } = await unlocked()
  const { id } = await vault.client.saveSession(Date.now() + 60_000)
  await vault.lock()
  await expect(vault.sessions.end(id)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  expect(await vault.sessions.list()).toHaveLength(1)
})

describe('sessions of an app with a grant', () => {
  const grant = { audience_did: BOB, command: '/msg/send', expires_at: NEXT_HOUR }
  const asked = { grant, origin: 'https://calendar.example', reason: 'To send invitations' }

  it('are written with the grant, and say who it was only while the account is unlocked', async () => {
    const { vault, address } = await unlocked()
    const { token, session } = await vault.sessions.connect(asked)
    expect(token).toMatchObject({ type: 'origin', command: '/msg/send', audienceDid: BOB })
    expect(session).toMatchObject({ cid: token.cid, origin: asked.origin, reason: asked.reason })
    expect(session?.expiresAt).toBe(token.expiresAt)
    expect(await vault.sessions.list()).toEqual([session])
    expect((await vault.activity.read()).lines.at(-1)).toMatchObject({
      act: 'connect',
      about: { cid: token.cid, origin: asked.origin },
    })

    expect(JSON.stringify(await rawAll(address, 'sessions'))).not.toContain('calendar')
    await vault.lock()
    const [locked] = await vault.sessions.list()
    expect(locked).toMatchObject({ id: session?.id, cid: token.cid })
    expect(locked).not.toHaveProperty('origin')
  })

  it('revoke it when they are ended, one by one or all at once', async () => {
    const { vault } = await unlocked()
    const first = await vault.sessions.connect(asked)
    const second = await vault.sessions.connect({ grant })
    await vault.client.saveSession(Date.now() + 60_000)

    const revocation = await vault.sessions.end(first.session?.id ?? '')
    expect(revocation).toMatchObject({ type: 'revocation', revokes: first.token.cid })
    expect((await vault.tokens.revocations()).map(({ revokes }) => revokes)).toEqual([first.token.cid])
    expect((await vault.activity.read()).lines.at(-1)).toMatchObject({
      act: 'endSession',
      about: { sessions: 1, revokes: first.token.cid },
    })

    expect(await vault.sessions.endAll()).toBe(2)
    expect(await vault.sessions.list()).toEqual([])
    expect((await vault.tokens.revocations()).map(({ revokes }) => revokes).sort()).toEqual(
      [first.token.cid, second.token.cid].sort(),
    )
  })

  it('end with their token, however it is revoked', async () => {
    const { vault } = await unlocked()
    const { token } = await vault.sessions.connect(asked)
    const { session: other } = await vault.sessions.connect({ grant })
    await vault.tokens.revoke({ cid: token.cid ?? '' })
    expect(await vault.sessions.list()).toEqual([expect.objectContaining({ id: other?.id })])
    expect((await vault.activity.read()).lines.at(-1)).toMatchObject({
      act: 'revoke',
      about: { sessions: 1, revokes: token.cid },
    })
  })

  it('are not created while the account is locked, and nor is the grant', async () => {
    const { vault, address } = await unlocked()
    await vault.lock()
    await expect(vault.sessions.connect(asked)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    expect(await rawAll(address, 'sessions')).toEqual([])
    expect(await rawAll(address, 'tokens')).toEqual([])
  })
})
