import dedicatedWorkerUrl from '@keyhole/enclave/dedicated-worker?worker&url'
import sharedWorkerUrl from '@keyhole/enclave/shared-worker?worker&url'
import { VaultProvider as Provider } from '@keyhole/vault-react'
import type { ReactNode } from 'react'
import { assessPassphrase } from '../features/passphrase/assess.ts'
import { scriptUrl } from './trusted-types.ts'

const CONFIG = {
  chainId: 'keyhole-1',
  wasmPath: '/enclave.wasm',
  workers: { shared: sharedWorkerUrl, dedicated: dedicatedWorkerUrl },
  scriptUrl,
  assessPassphrase,
} as const

/** The vault of the whole client, with its workers and our Trusted Types policy. */
export function VaultProvider({ children }: { children: ReactNode }) {
  return <Provider config={CONFIG}>{children}</Provider>
}
