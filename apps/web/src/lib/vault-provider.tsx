import { VaultProvider as Provider } from '@keyhole/vault-react'
import type { ReactNode } from 'react'
import { clientVault } from './vault.ts'

/** Gives the client's one vault to the components below. */
export function VaultProvider({ children }: { children: ReactNode }) {
  return <Provider vault={clientVault()}>{children}</Provider>
}
