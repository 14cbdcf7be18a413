import { expect, it, vi } from 'vitest'
import { freshBrowser, rawAll } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import { givenByAnother } from '../test/given.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const vaults = new OpenVaults()

async function granted() {
  const vault = await vaults.start()
  const { address } = await vault.create(openedByPasskey())
  const request = { audience_did: BOB, command: '/msg/send', label: 'The plumber' }
  return { vault, address, stored: await vault.tokens.grant(request) }
}

it('a removed token is restored as it was, with its label', async () => {
  const { vault, stored } = await granted()
  await vault.tokens.remove(stored.id)
  expect(await vault.tokens.list()).toEqual([])
  await vault.tokens.restore(stored.id)
  expect(await vault.tokens.list()).toEqual([stored])
  const acts = (await vault.activity.read()).lines.map(({ act }) => act)
  expect(acts.slice(-2)).toEqual(['removeToken', 'restoreToken'])
  await expect(vault.tokens.restore(stored.id)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
})

it('a removed token is restored while the account is locked', async () => {
  const { vault, stored } = await granted()
  await vault.lock()
  await vault.tokens.remove(stored.id)
  await vault.tokens.restore(stored.id)
  await vault.unlock(passkeyProof())
  expect(await vault.tokens.list()).toEqual([stored])
})

it('a removed token is never restored into another account', async () => {
  const { vault, address, stored } = await granted()
  await vault.tokens.remove(stored.id)
  await vault.create(openedByPasskey())
  await expect(vault.tokens.restore(stored.id)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  expect(await vault.tokens.list()).toEqual([])
  await vault.accounts.open(address)
  await vault.tokens.restore(stored.id)
  expect(await vault.tokens.list()).toHaveLength(1)
})

async function receiver(world: EnclaveWorld) {
  const vault = await vaults.start({}, world)
  const { address } = await vault.create(openedByPasskey())
  const audience_did = vault.getSnapshot().issuerDid ?? ''
  return { vault, address, text: await givenByAnother({ audience_did, command: '/msg/send' }) }
}

it('a token that is received twice at once is stored once', async () => {
  const { vault, address, text } = await receiver(new EnclaveWorld())
  const [one, two] = await Promise.all([vault.tokens.receive(text), vault.tokens.receive(text)])
  expect(await rawAll(address, 'tokens')).toHaveLength(1)
  expect(one.id).toBe(two.id)
})

it('a token that is received while it is being removed is stored afterwards', async () => {
  const locks = new FakeLocks()
  vi.stubGlobal('navigator', { locks })
  const world = new EnclaveWorld('shared-worker')
  const { vault, address, text } = await receiver(world)
  const other = await vaults.start({}, world)
  const { id } = await vault.tokens.receive(text)
  const held = world.holdUp('log_activity')
  const removing = other.tokens.remove(id)
  await held.reached
  const waiting = locks.waitedFor(`keyhole:write:${address}`)
  const receiving = vault.tokens.receive(text)
  await waiting
  held.release()
  await Promise.all([removing, receiving])
  expect(await rawAll(address, 'tokens')).toHaveLength(1)
})
