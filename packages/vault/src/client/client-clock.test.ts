import { expect, it, vi } from 'vitest'
import type { VaultConfig } from '../base/config.ts'
import { readCanary } from '../storage/canary.ts'
import { freshBrowser, rawAll, rawPut } from '../test/browser.ts'
import { TestClock } from '../test/clock.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import { openedByPasskey } from '../test/opening.ts'
import { FakeDisk } from '../test/opfs.ts'
import { BOB } from '../test/people.ts'
import { passkeyInput } from '../unlock/unlock-proof.ts'
import { VaultClient } from './vault-client.ts'

freshBrowser()

/** A moment that the machine's clock doesn't show. */
const MOMENT = Date.UTC(2031, 4, 6, 7)
const HOUR = 3_600_000

/** A client whose clock stands still, and an account that it has just made. */
async function withAccount(config: VaultConfig = {}) {
  const clock = new TestClock()
  clock.set(MOMENT)
  const world = { createEnclave: new EnclaveWorld().createEnclave, clock }
  const client = new VaultClient(config, world)
  await client.initialize()
  const { passkey } = openedByPasskey()
  if (!passkey) throw new Error('It is made without a passkey.')
  const { enclave } = client
  const made = await enclave.call('create_vault', { passkey: passkeyInput(passkey), recovery_code: true })
  if ('error' in made) throw new Error(made.error)
  const { address = '' } = made.status
  const make = async () => ({ sealed: made.enclave, batch: {} })
  await client.adopt({ enclave, address, fills: false, make })
  return { client, clock, world, address }
}

async function storedAt(address: string): Promise<unknown> {
  const [state] = await rawAll(address, 'state')
  return state
}

it('a new account is stored at the time of the clock, and known since then', async () => {
  const { client, address } = await withAccount()
  expect(await client.loadPersistedState()).toMatchObject({ createdAt: MOMENT, lastAccessed: MOMENT })
  expect(readCanary()).toEqual([{ address, createdAt: MOMENT }])
})

it('an unreadable state is set aside at the time of the clock', async () => {
  const first = await withAccount()
  const made = await first.client.loadPersistedState()
  await first.client.cleanup()
  await rawPut(first.address, 'state', { id: 'current', enclave: 7 })
  const client = new VaultClient({}, first.world)
  await client.initialize()
  const enclave = await client.startEnclave()
  const make = async () => ({ sealed: made?.enclave ?? '', batch: {} })
  await client.adopt({ enclave, address: first.address, fills: false, make })
  expect(await rawAll(first.address, 'state')).toContainEqual({ id: `unreadable-${MOMENT}`, enclave: 7 })
})

it('a token is stored at the time of the clock', async () => {
  const { client } = await withAccount()
  const token = await client.newOriginToken({ audience_did: BOB, command: '/msg/send' })
  expect(await client.saveToken(token)).toMatchObject({ createdAt: MOMENT })
})

it('a session begins at the time of the clock', async () => {
  const { client } = await withAccount()
  expect(await client.saveSession(MOMENT + HOUR)).toMatchObject({ createdAt: MOMENT })
})

it('saving the state notes the time of the clock', async () => {
  const { client, clock, address } = await withAccount()
  clock.pass(HOUR)
  await client.persistState()
  expect(await storedAt(address)).toMatchObject({ createdAt: MOMENT, lastAccessed: MOMENT + HOUR })
})

it('a changed state is saved at the time of the clock', async () => {
  const { client, clock, address } = await withAccount()
  clock.pass(HOUR)
  await client.saveSealedState(client.enclave, client.sealedState ?? '')
  expect(await storedAt(address)).toMatchObject({ createdAt: MOMENT, lastAccessed: MOMENT + HOUR })
})

it('a given state is stored at the time of the clock, and its account known since then', async () => {
  const { client, address, world } = await withAccount({ enablePersistence: false })
  const enclave = client.sealedState ?? ''
  await client.cleanup()
  const given = new VaultClient({ enclave }, world)
  await given.initialize()
  expect(await storedAt(address)).toMatchObject({ createdAt: MOMENT, lastAccessed: MOMENT })
  expect(readCanary()).toEqual([{ address, createdAt: MOMENT }])
})

it('the state of a newer second copy is stored at the time of the clock', async () => {
  new FakeDisk().install()
  vi.stubGlobal('navigator', { ...navigator, locks: new FakeLocks() })
  const { client, clock, address, world } = await withAccount()
  await client.storage.mirrored()
  const before = await client.loadPersistedState()
  const generated = await client.enclave.call('label_vault', { label: 'Later' })
  if ('error' in generated) throw new Error(generated.error)
  await client.saveSealedState(client.enclave, generated.enclave)
  await client.storage.mirrored()
  await client.cleanup()
  // The database is the one from before.
  await rawPut(address, 'state', before ?? {})
  clock.pass(HOUR)
  const next = new VaultClient({}, world)
  await next.initialize(undefined, address)
  expect(await next.loadPersistedState()).toMatchObject({ behind: true, lastAccessed: MOMENT + HOUR })
  await next.cleanup()
})
