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

export const PASSPHRASE = 'violet anvil harbour thirty'

/** A DID whose key nobody here has: the test vector of the did:key method. */
export const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

type GrantRequest = Parameters<KeyVault['tokens']['grant']>[0]

/** What the vaults of tests have in common. */
export const CONFIG: VaultConfig = {
  wasmSource: 'bundled',
  // Its dictionaries take seconds to load.
  assessPassphrase: async () => ({ score: 4 }),
}

/** A token that another vault gives, which is gone afterwards. */
export async function givenByAnother(request: GrantRequest) {
  const giver = new KeyVault({ ...CONFIG, enablePersistence: false })
  await giver.initialize()
  await giver.create({ passphrase: PASSPHRASE })
  const given = await giver.tokens.grant(request)
  await giver.cleanup()
  return given
}

interface OpenVault {
  readonly vault: () => KeyVault
  /** Draws components with that vault around them. They are gone after the test. */
  readonly show: (view: ReactNode) => RenderResult
}

/** A vault for the tests of a file, made once and open: the real one, with its enclave in a thread and its databases in memory. */
export function openVault(): OpenVault {
  let made: KeyVault | undefined
  let holder: Root | undefined
  let stop = () => {}
  const vault = () => {
    if (!made) throw new Error('The vault is made before the first test.')
    return made
  }
  beforeAll(async () => {
    made = new KeyVault({ ...CONFIG, autoInitialize: false })
    await made.initialize()
    await made.create({ passphrase: PASSPHRASE, label: 'Personal' })
    // A provider that goes closes its vault, unless there is another one.
    holder = createRoot(document.createElement('div'))
    holder.render(<VaultProvider vault={made} />)
  })
  afterEach(() => {
    stop()
    cleanup()
  })
  afterAll(async () => {
    holder?.unmount()
    // The provider closes it and waits for nobody: what it still did then would come when the page of the tests is gone.
    await made?.cleanup()
  })
  return {
    vault,
    show: (view) => {
      const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
      // As the client does: what is shown of an account is read again when it changes.
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
