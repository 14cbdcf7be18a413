import type { Enclave } from '@keyhole/enclave'
import { expect, it } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { readStoredState } from '../storage/account/account-storage.ts'
import { freshBrowser } from '../test/browser.ts'
import { FakeWorld } from '../test/fake-enclave.ts'
import { OpenVaults } from '../test/open-vaults.ts'

freshBrowser()

const PASSPHRASE = 'correct horse battery'

const vaults = new OpenVaults()

/** A person with two accounts; the second is open and unlocked, and has seen more changes. */
async function twoAccounts() {
  const world = new FakeWorld('worker')
  let held: { name: string; reached: () => void; released: Promise<void> } | undefined
  const createEnclave: typeof world.createEnclave = async (options) => {
    const enclave = await world.createEnclave(options)
    const call: Enclave['call'] = enclave.call.bind(enclave)
    enclave.call = async <T>(name: Parameters<Enclave['call']>[0], input?: unknown) => {
      const answer = await call<T>(name, input)
      if (held?.name === name) {
        const { reached, released } = held
        held = undefined
        reached()
        await released
      }
      return answer
    }
    return enclave
  }
  const vault = await vaults.start({}, { createEnclave })
  const { address: other } = await vault.create({ passphrase: PASSPHRASE })
  const { address } = await vault.create({ passphrase: PASSPHRASE })
  for (const label of ['one', 'two', 'three']) await vault.labelAccount(label)
  /** Holds up the next answer of an export. */
  const holdUp = (name: string) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const reached = new Promise<void>((resolve) => {
      held = { name, reached: resolve, released }
    })
    return { reached, release }
  }
  return { vault, address, other, holdUp }
}

const stateOf = async (address: string) => (await readStoredState(address))?.enclave

it.each<[string, (vault: KeyVault) => Promise<unknown>]>([
  ['a change', (vault) => vault.labelAccount('late')],
  ['a lock', (vault) => vault.lock()],
])('%s that is at work while another account is opened is not stored in that one', async (_, act) => {
  const { vault, address, other, holdUp } = await twoAccounts()
  const [own, others] = [await stateOf(address), await stateOf(other)]
  // Past the saving of the account that is left, so that nothing waits for the change any more.
  const { reached: leaving, release: leave } = holdUp('vault_status')
  const opening = vault.openAccount(other)
  await leaving
  const { reached: again, release: go } = holdUp('log_activity')
  const acting = Promise.allSettled([act(vault)])
  await again
  leave()
  await opening
  go()
  await acting
  expect(await stateOf(other)).toBe(others)
  expect(await stateOf(address)).toBe(own)
  expect(vault.getSnapshot()).toMatchObject({ address: other, phase: 'locked' })
  await vault.unlock(PASSPHRASE)
})

it('a token that is signed while another account is opened is kept in neither', async () => {
  const { vault, address, other, holdUp } = await twoAccounts()
  const { reached: signed, release: go } = holdUp('new_origin_token')
  const granting = vault.grant({ audience_did: 'did:key:zBob', command: '/msg/send' })
  granting.catch(() => undefined)
  await signed
  await vault.openAccount(other)
  await vault.unlock(PASSPHRASE)
  go()
  await expect(granting).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
    message: expect.stringContaining('was left'),
  })
  expect(await vault.tokens()).toEqual([])
  await vault.openAccount(address)
  expect(await vault.tokens()).toEqual([])
})
