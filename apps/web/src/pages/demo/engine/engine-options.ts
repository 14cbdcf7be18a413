import type { EnclaveOptions } from '@keyhole/enclave'
import type { VaultConfig } from '@keyhole/vault'

/** The client's own engine and workers, for an enclave separate from its vault. */
export function engineOptions({ wasmPath, workers, scriptUrl }: VaultConfig): EnclaveOptions {
  return {
    ...(wasmPath !== undefined && { source: { url: wasmPath } }),
    ...(workers && { workers }),
    ...(scriptUrl && { scriptUrl }),
  }
}
