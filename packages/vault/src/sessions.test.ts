import { afterEach, expect, it } from 'vitest'
import { KeyVault } from './key-vault.ts'
import { freshBrowser, rawAll } from './test/browser.ts'
import { FakeWorld } from './test/fake-enclave.ts'

freshBrowser()

const open: KeyVault[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((vault) => vault.cleanup()))
})

async function unlocked(): Promise<{ vault: KeyVault; address: string }> {
  const vault = new KeyVault({}, new FakeWorld())
  open.push(vault)
  await vault.initialize()
  const { address } = await vault.create({ passphrase: 'correct horse battery' })
  return { vault, address }
}

it('are listed while their time lasts, and ended one by one or all', async () => {
  const { vault, address } = await unlocked()
  const changes: string[] = []
  vault.on('vault:changed', ({ change }) => changes.push(change))
  const later = Date.now() + 60_000
  const calendar = await vault.client.saveSession(later)
  await vault.client.saveSession(later)
  await vault.client.saveSession(later)
  await vault.client.saveSession(Date.now() - 1)
  expect(await vault.sessions()).toHaveLength(3)

  await vault.endSession(calendar.id)
  expect((await vault.sessions()).map(({ id }) => id)).not.toContain(calendar.id)
  expect(await vault.endSessions()).toBe(3)
  expect(await rawAll(address, 'sessions')).toEqual([])
  expect(await vault.endSessions()).toBe(0)
  expect(changes).toEqual(['sessions', 'sessions'])
  const { lines } = await vault.activity()
  expect(lines.slice(-2)).toMatchObject([
    { act: 'endSession', about: { sessions: 1, id: calendar.id } },
    { act: 'endSession', about: { sessions: 3 } },
  ])
})

it('are not ended while the account is locked', async () => {
  const { vault } = await unlocked()
  const { id } = await vault.client.saveSession(Date.now() + 60_000)
  await vault.lock()
  await expect(vault.endSession(id)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  expect(await vault.sessions()).toHaveLength(1)
})
