import 'fake-indexeddb/auto'
import { KeyVault, type VaultConfig } from '@keyhole/vault'
import { VaultProvider } from '@keyhole/vault-react'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, type RenderResult, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createThreadless } from '../../../../packages/enclave/src/test/in-this-thread.ts'

export const PASSPHRASE = 'violet anvil harbour thirty'

/** A DID whose key no one here has: the test vector of the did:key method. */
export const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

type GrantRequest = Parameters<KeyVault['tokens']['grant']>[0]

/** The configuration that all test vaults share. */
export const CONFIG: VaultConfig = {
  wasmSource: 'bundled',
  // The dictionaries take seconds to load.
  assessPassphrase: async () => ({ score: 4 }),
}

/** The real enclave, without a thread for each vault. */
export const IN_THIS_THREAD = { createEnclave: createThreadless }

/** A token from another vault, which is gone afterwards. */
export async function givenByAnother(request: GrantRequest) {
  const giver = new KeyVault({ ...CONFIG, enablePersistence: false }, IN_THIS_THREAD)
  await giver.initialize()
  await giver.create({ passphrase: PASSPHRASE })
  const given = await giver.tokens.grant(request)
  await giver.cleanup()
  return given
}

interface OpenVault {
  readonly vault: () => KeyVault
  /** Renders components with that vault around them. They are removed after the test. */
  readonly show: (view: ReactNode) => RenderResult
}

/** One open vault for the tests in a file: the real one, with its enclave and its databases in memory. */
export function openVault(): OpenVault {
  let made: KeyVault | undefined
  let holder: Root | undefined
  let stop = () => {}
  const vault = () => {
    if (!made) throw new Error('The vault is made before the first test.')
    return made
  }
  beforeAll(async () => {
    made = new KeyVault({ ...CONFIG, autoInitialize: false }, IN_THIS_THREAD)
    await made.initialize()
    await made.create({ passphrase: PASSPHRASE, label: 'Personal' })
    // A provider that unmounts closes its vault unless another provider is mounted.
    holder = createRoot(document.createElement('div'))
    holder.render(<VaultProvider vault={made} />)
  })
  afterEach(() => {
    stop()
    cleanup()
  })
  afterAll(async () => {
    holder?.unmount()
    // The provider closes it without waiting. Anything it still did then would run after the tests' page is gone.
    await made?.cleanup()
  })
  return {
    vault,
    show: (view) => {
      const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
      // As the client does: read an account's data again when it changes.
      stop = vault().on('vault:changed', () => void queries.invalidateQueries())
      return render(
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={queries}>
            <VaultProvider vault={vault()}>{view}</VaultProvider>
          </QueryClientProvider>
        </I18nProvider>,
      )
    },
  }
}
