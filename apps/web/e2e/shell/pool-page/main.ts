// A page that has a pool of enclaves, as a site of somebody else's would: for pool.spec.ts.
import { createPool, type Pool, type PoolOptions } from '@keyhole/enclave'
import { scriptUrl } from '../../../src/shared/browser/trusted-types.ts'

declare global {
  interface Window {
    startPool(options?: PoolOptions): Promise<Pool>
  }
}

window.startPool = (options) => createPool({ scriptUrl, ...options })
document.body.dataset.ready = 'true'
