import { afterEach } from 'vitest'
import type { VaultConfig, VaultDependencies } from '../base/config.ts'
import { KeyVault } from '../key-vault.ts'
import { EnclaveWorld } from './enclave-world.ts'

/** Vaults for a test: each is like a tab of one browser, and all are closed afterwards. */
export class OpenVaults {
  readonly #open: KeyVault[] = []

  /** Create it after `freshBrowser()`, whose databases can only be deleted once no vault has them open. */
  constructor() {
    afterEach(() => this.closeAll())
  }

  /** An initialised vault. Its enclave is the real one in this thread, unless another is given. */
  async start(config: VaultConfig = {}, dependencies: VaultDependencies = {}): Promise<KeyVault> {
    const { createEnclave = new EnclaveWorld().createEnclave } = dependencies
    const vault = new KeyVault(config, { ...dependencies, createEnclave })
    this.#open.push(vault)
    await vault.initialize()
    return vault
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((vault) => vault.cleanup()))
  }
}
