// A page with @keyhole/vault and nothing else, as on someone else's site. Tests call the vault directly.
import { createEnclave, type Enclave } from '@keyhole/enclave'
import shared from '@keyhole/enclave/shared-worker?url'
import { KeyVault, type VaultConfig } from '@keyhole/vault'
import { scriptUrl } from '../../../src/shared/browser/trusted-types.ts'

declare global {
  interface Window {
    /** The vault that `openVault` created. */
    vault: KeyVault
    /** @param timeout of a call, in milliseconds, where it isn't the usual one */
    openVault(config?: VaultConfig, timeout?: number): Promise<KeyVault>
    /** An enclave without an account, in the same kind of worker that accounts use. */
    openEnclave(): Promise<Enclave>
  }
}

/** Another version of the client has its worker at another address. `site.js` serves a copy there. */
const other = new URLSearchParams(location.search).has('other')
const workers = other ? { shared: shared.replace(/\.js$/, '-other.js') } : {}

window.openVault = async (config, timeout) => {
  const create: typeof createEnclave = (options) =>
    createEnclave({ ...options, ...(timeout !== undefined && { timeout }) })
  window.vault = new KeyVault({ workers, scriptUrl, ...config }, { createEnclave: create })
  await window.vault.initialize()
  return window.vault
}
window.openEnclave = () => createEnclave({ workers, scriptUrl })
document.body.dataset.ready = 'true'
