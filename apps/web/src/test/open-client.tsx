import 'fake-indexeddb/auto'
import { KeyVault } from '@keyhole/vault'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { routeTree } from '../app/router/routeTree.gen.ts'
import { endSetup } from '../features/account/setup.ts'
import { clearDrafts } from '../shared/hooks/drafts.ts'
import * as shared from '../shared/vault/vault.ts'
import { CONFIG, IN_THIS_THREAD, PASSPHRASE } from './open-vault.tsx'

interface NewAccount {
  readonly label?: string
  readonly passphrase?: string
  readonly recoveryCode?: boolean
}

interface OpenClient {
  /** The client's vault. */
  readonly vault: () => KeyVault
  /** Creates an account without the pages and leaves it open. @returns its recovery code, if requested */
  readonly create: (account?: NewAccount) => Promise<string | undefined>
  /** Loads the client at an address. */
  readonly load: (address: string) => Promise<void>
  /** Reloads the client where it is: everything in memory is gone, and the vault is locked. */
  readonly reload: () => Promise<void>
  /** Deletes an account's database without a message, as a browser with damaged files does. Closes the client first. */
  readonly lose: (address?: string) => Promise<void>
  /** The client's current address. */
  readonly address: () => string
}

/**
 * The whole client for each test in a file, in an empty browser: every page, with the real vault, its enclave and its databases in
 * memory. It has no layout, no service worker and no other window.
 */
export function openClient(): OpenClient {
  let vault: KeyVault | undefined
  let router: ReturnType<typeof newRouter> | undefined
  const needed = () => {
    vault ??= new KeyVault({ ...CONFIG, autoInitialize: false }, IN_THIS_THREAD)
    return vault
  }
  const close = async () => {
    cleanup()
    router = undefined
    await vault?.cleanup()
    vault = undefined
  }
  const load = async (address: string) => {
    window.history.replaceState(null, '', address)
    router = newRouter(address)
    await act(() => router?.load())
    render(
      <I18nProvider i18n={i18n}>
        <RouterProvider router={router} />
      </I18nProvider>,
    )
  }
  beforeEach(() => {
    vi.spyOn(shared, 'clientVault').mockImplementation(needed)
    // Elements have no size here, and a list without one renders no rows.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40)
  })
  afterEach(async () => {
    await close()
    vi.restoreAllMocks()
    clearDrafts()
    endSetup()
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
  })
  return {
    vault: needed,
    create: async ({ label = 'Personal', passphrase = PASSPHRASE, recoveryCode = false } = {}) => {
      if (!needed().isInitialized) await needed().initialize()
      return (await needed().create({ passphrase, label, recoveryCode })).recoveryCode
    },
    load,
    reload: async () => {
      const address = router?.state.location.href ?? '/'
      await close()
      await load(address)
    },
    lose: async (address = needed().getSnapshot().address) => {
      await close()
      await new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(`vault_${address}`)
        request.onsuccess = resolve
        request.onerror = () => reject(request.error)
      })
    },
    address: () => router?.state.location.href ?? expect.fail('The client is not loaded.'),
  }
}

const newRouter = (address: string) =>
  createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [address] }) })
