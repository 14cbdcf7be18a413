import { expect, it } from 'vitest'
import { freshBrowser } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const REQUEST = { audience_did: BOB, command: '/msg/send', label: 'The plumber' }

const vaults = new OpenVaults()

it('a grant asks for its signature and its sealed label together, and then for its log line', async () => {
  const world = new EnclaveWorld()
  const held = world
  const vault = await vaults.start({}, held)
  await vault.create(openedByPasskey())
  const before = world.calls.length
  const { reached, release } = held.holdUp('new_origin_token')
  const granting = vault.tokens.grant(REQUEST)
  await reached
  expect(world.calls.slice(before).map(({ name }) => name)).toEqual(['new_origin_token', 'seal_records'])
  release()
  const stored = await granting
  expect(stored).toMatchObject({ label: 'The plumber', command: '/msg/send' })
  // The token's payload came with it, so it isn't read again.
  expect(world.calls.slice(before).map(({ name }) => name)).toEqual([
    'new_origin_token',
    'seal_records',
    'log_activity',
  ])
  await vault.lock()
  await vault.unlock(passkeyProof())
  expect(await vault.tokens.list()).toEqual([stored])
})

it('a refused grant stores nothing', async () => {
  const world = new EnclaveWorld()
  const vault = await vaults.start({}, world)
  await vault.create(openedByPasskey())
  await vault.lock()
  await expect(vault.tokens.grant(REQUEST)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
  await vault.unlock(passkeyProof())
  expect(await vault.tokens.list()).toEqual([])
})
