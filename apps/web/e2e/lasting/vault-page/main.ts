// A page that has @keyhole/vault and nothing over it, as a site of somebody else's would: what a test asks of it, it asks directly.
import { createEnclave, type Enclave } from '@keyhole/enclave'
import shared from '@keyhole/enclave/shared-worker?url'
import { KeyVault, type VaultConfig } from '@keyhole/vault'
import { scriptUrl } from '../../../src/shared/browser/trusted-types.ts'

declare global {
  interface Window {
    /** The vault that `openVault` made. */
    vault: KeyVault
    openVault(config?: VaultConfig): Promise<KeyVault>
    /** An enclave that holds no account yet, in the worker that the accounts have. */
    openEnclave(): Promise<Enclave>
  }
}

/** Another version of the client has its worker under another address: `site.js` serves a copy. */
const other = new URLSearchParams(location.search).has('other')
const workers = other ? { shared: shared.replace(/\.js$/, '-other.js') } : {}

window.openVault = async (config) => {
  window.vault = new KeyVault({ workers, scriptUrl, ...config })
  await window.vault.initialize()
  return window.vault
}
window.openEnclave = () => createEnclave({ workers, scriptUrl })
document.body.dataset.ready = 'true'
