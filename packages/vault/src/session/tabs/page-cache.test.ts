import { describe, expect, it, vi } from 'vitest'
import type { VaultConfig } from '../../base/config.ts'
import type { KeyVault } from '../../key-vault.ts'
import { freshBrowser } from '../../test/browser.ts'
import { clientOf } from '../../test/client-of.ts'
import { EnclaveWorld } from '../../test/enclave-world.ts'
import { OpenVaults } from '../../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../../test/opening.ts'

freshBrowser()

const vaults = new OpenVaults()

async function tab(config: VaultConfig = {}) {
  const { createEnclave } = new EnclaveWorld('worker')
  const page = new EventTarget()
  const vault = await vaults.start(config, { createEnclave, page })
  return { vault, page }
}

const turn = (page: EventTarget, name: 'pagehide' | 'pageshow', persisted: boolean) =>
  page.dispatchEvent(Object.assign(new Event(name), { persisted }))
const phase = (vault: KeyVault) => vault.getSnapshot().phase

describe("a page in the browser's back/forward cache", () => {
  it('releases the enclave when cached, and reopens the account locked when restored', async () => {
    const { vault, page } = await tab()
    const first = await vault.create(openedByPasskey({ label: 'first' }))
    const { enclave } = clientOf(vault)
    const close = vi.spyOn(enclave, 'close')
    turn(page, 'pagehide', true)
    // Waiting for an answer would keep the page out of the cache.
    await vi.waitFor(() => expect(close).toHaveBeenCalledExactlyOnceWith({ wait: false }))
    await vi.waitFor(() => expect(phase(vault)).toBe('uninitialized'))
    expect(vault.isInitialized).toBe(false)
    turn(page, 'pageshow', true)
    await vi.waitFor(() => expect(phase(vault)).toBe('locked'))
    expect(vault.getSnapshot().address).toBe(first.address)
    await vault.unlock(passkeyProof())
    expect(vault.getSnapshot().label).toBe('first')
  })

  it('reopens its own account, even if another tab has opened a different one since', async () => {
    const { vault, page } = await tab()
    const mine = await vault.create(openedByPasskey())
    const theirs = await vault.create(openedByPasskey())
    await vault.accounts.open(mine.address)
    turn(page, 'pagehide', true)
    const other = await tab()
    await other.vault.accounts.open(theirs.address)
    turn(page, 'pageshow', true)
    await vi.waitFor(() =>
      expect(vault.getSnapshot()).toMatchObject({ phase: 'locked', address: mine.address }),
    )
  })

  it('only locks a vault without storage', async () => {
    const { vault, page } = await tab({ enablePersistence: false })
    const { address } = await vault.create(openedByPasskey())
    turn(page, 'pagehide', true)
    await vi.waitFor(() => expect(phase(vault)).toBe('locked'))
    turn(page, 'pageshow', true)
    await vault.unlock(passkeyProof())
    expect(vault.getSnapshot().address).toBe(address)
  })

  it('does nothing when the page ends, or after cleanup', async () => {
    const { vault, page } = await tab()
    await vault.create(openedByPasskey())
    turn(page, 'pagehide', false)
    turn(page, 'pageshow', true)
    expect(phase(vault)).toBe('unlocked')
    await vault.cleanup()
    turn(page, 'pagehide', true)
    turn(page, 'pageshow', true)
    expect(vault.isInitialized).toBe(false)
  })
})
