import { KeyVault } from '@keyhole/vault'
import { scriptUrl } from '../browser/trusted-types.ts'
import { assessPassphrase } from '../passphrase/assess.ts'
import { allowedHosts } from './did-web-hosts.ts'
import { serverTime } from './server-time.ts'

const CONFIG = {
  chainId: 'keyhole-1',
  wasmPath: '/enclave.wasm',
  scriptUrl,
  assessPassphrase,
  // app/providers/vault-provider.tsx initialises it when needed.
  autoInitialize: false,
} as const

let shared: KeyVault | undefined

/** The vault of the whole client, with our Trusted Types policy. Components get it from `useVault`. */
export function clientVault(): KeyVault {
  shared ??= new KeyVault({ ...CONFIG, didWebHosts: allowedHosts() }, { serverTime })
  return shared
}
