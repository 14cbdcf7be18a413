import type { EnclaveOptions } from '@keyhole/enclave'
import { scriptUrl } from '../../../shared/browser/trusted-types.ts'

/** Where the engine comes from. The vault has its own such list, which is not wanted here: no vault is in this document. */
export const ENGINE: EnclaveOptions = {
  source: { url: '/enclave.wasm' },
  scriptUrl,
}
