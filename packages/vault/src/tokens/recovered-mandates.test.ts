// An account restored from a second copy that had missed payments, on the real enclave: no budget is restored unasked.

import { describe, expect, it } from 'vitest'
import type { VaultDependencies } from '../base/config.ts'
import type { KeyVault } from '../key-vault.ts'
import { fillDisk, freshBrowser, rawAll, rawPut, settled } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { FakeDisk } from '../test/opfs.ts'

freshBrowser()
const vaults = new OpenVaults()

const SUSPENDED = { code: 'OPERATION_FAILED', details: { name: 'MandateSuspended' } }
const asked = (order: string) => ({ origin: 'https://shop.example', value: '10.00', currency: 'GBP', order })

/** An account whose second copy has a mandate, but no payments under it. */
async function behind() {
  const disk = new FakeDisk()
  disk.install()
  const vault = await vaults.start()
  const { address, recoveryCode = '' } = await vault.create(openedByPasskey())
  const { mandate } = await vault.mandates.make({
    ...{ payees: ['did:web:shop.example'], max: 5_000, currency: 'GBP' },
    budget: { period: 'month', payments: 1 },
  })
  await clientOf(vault).openStorage?.mirrored()
  disk.before = () => {
    throw new Error('the file system fails')
  }
  const pay = (tab: KeyVault, order: string) =>
    tab.payments.authorize(asked(order), { mandate: mandate.cid, byItself: true })
  await pay(vault, 'A-1')
  await vaults.closeAll()
  disk.before = undefined
  return { address, recoveryCode, cid: mandate.cid, pay }
}

async function lost(): Promise<void> {
  for (const { name } of await indexedDB.databases()) if (name) await settled(indexedDB.deleteDatabase(name))
}

async function restored(dependencies?: VaultDependencies) {
  const account = await behind()
  await lost()
  const vault = await vaults.start({}, dependencies)
  await vault.accounts.restoreLost(account.address)
  return { vault, ...account }
}

const isSuspended = async (vault: KeyVault) => (await vault.mandates.list()).map(({ suspended }) => suspended)

describe('a mandate of an account restored from a second copy that was behind', () => {
  it('is suspended at the next unlock, once, until a person confirms it', async () => {
    const { vault, cid, pay } = await restored()
    await vault.unlock(passkeyProof())
    expect(await isSuspended(vault)).toEqual([true])
    await expect(pay(vault, 'A-2')).rejects.toMatchObject(SUSPENDED)
    await vault.mandates.suspend(cid, false)
    await pay(vault, 'A-2')
    await vault.lock()
    await vault.unlock(passkeyProof())
    expect(await isSuspended(vault)).toEqual([false])
  })

  it.each(['passkey', 'recovery code'])(
    'is suspended by a %s, even if the tab was closed before the unlock',
    async (how) => {
      const { address, recoveryCode, pay } = await restored()
      await vaults.closeAll()
      const vault = await vaults.start()
      await vault.unlock(how === 'passkey' ? passkeyProof() : { recoveryCode })
      await expect(pay(vault, 'A-2')).rejects.toMatchObject(SUSPENDED)
      expect(await rawAll(address, 'state')).not.toContainEqual(expect.objectContaining({ behind: true }))
    },
  )

  it('is suspended if the account is lost again before it is unlocked', async () => {
    const { address, pay } = await restored()
    await vaults.closeAll()
    await lost()
    const vault = await vaults.start()
    await vault.accounts.restoreLost(address)
    await vault.unlock(passkeyProof())
    await expect(pay(vault, 'A-2')).rejects.toMatchObject(SUSPENDED)
  })

  it.each([
    ['with an enclave each', () => ({})],
    ['that share one enclave', () => new EnclaveWorld('shared-worker')],
  ])('is suspended in every tab %s, and confirmed in all of them', async (_kind, dependencies) => {
    const shared = dependencies()
    const { vault, cid, pay } = await restored(shared)
    const other = await vaults.start({}, shared)
    await vault.unlock(passkeyProof())
    if (other.getSnapshot().phase === 'locked') await other.unlock(passkeyProof())
    await expect(pay(other, 'A-2')).rejects.toMatchObject(SUSPENDED)
    await vault.mandates.suspend(cid, false)
    expect(await pay(other, 'A-2')).toMatchObject({ mandate: cid })
  })

  it('is suspended even if that could not be stored, and again by the next unlock', async () => {
    const { vault, pay } = await restored()
    const free = fillDisk('state')
    await vault.unlock(passkeyProof())
    await expect(pay(vault, 'A-2')).rejects.toMatchObject(SUSPENDED)
    free()
    await vaults.closeAll()
    const later = await vaults.start()
    await later.unlock(passkeyProof())
    await expect(pay(later, 'A-2')).rejects.toMatchObject(SUSPENDED)
  })

  it('is not used by an enclave that was open all the time', async () => {
    const { address, pay } = await behind()
    const vault = await vaults.start()
    await vault.unlock(passkeyProof())
    const [state] = (await rawAll(address, 'state')).filter(
      (record) => (record as { id: string }).id === 'current',
    )
    await rawPut(address, 'state', { ...(state as object), behind: true })
    await expect(pay(vault, 'A-2')).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    expect(vault.getSnapshot().phase).toBe('locked')
    await vault.unlock(passkeyProof())
    await expect(pay(vault, 'A-2')).rejects.toMatchObject(SUSPENDED)
  })
})
