import type { EnclaveOptions } from '@keyhole/enclave'
import { scriptUrl } from '../../../shared/browser/trusted-types.ts'

/** Where the engine comes from. The vault's own options aren't used here: this document has no vault. */
export const ENGINE: EnclaveOptions = {
  source: { url: '/enclave.wasm' },
  scriptUrl,
}
