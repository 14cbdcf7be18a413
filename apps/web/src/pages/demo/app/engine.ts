import type { EnclaveOptions } from '@keyhole/enclave'
import dedicatedWorkerUrl from '@keyhole/enclave/dedicated-worker?worker&url'
import sharedWorkerUrl from '@keyhole/enclave/shared-worker?worker&url'
import { scriptUrl } from '../../../shared/browser/trusted-types.ts'

/** Where the engine and its workers come from. The vault has its own such list, which is not wanted here: no vault is in this document. */
export const ENGINE: EnclaveOptions = {
  source: { url: '/enclave.wasm' },
  workers: { shared: sharedWorkerUrl, dedicated: dedicatedWorkerUrl },
  scriptUrl,
}
