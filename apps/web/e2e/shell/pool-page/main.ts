// A page with a pool of enclaves, as on someone else's site. For pool.spec.ts.
import { createPool, type Pool, type PoolOptions } from '@keyhole/enclave'
import { scriptUrl } from '../../../src/shared/browser/trusted-types.ts'

declare global {
  interface Window {
    startPool(options?: PoolOptions): Promise<Pool>
  }
}

window.startPool = (options) => createPool({ scriptUrl, ...options })
document.body.dataset.ready = 'true'
