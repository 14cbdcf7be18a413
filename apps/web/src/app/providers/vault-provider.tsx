import { VaultProvider as Provider } from '@keyhole/vault-react'
import { type ReactNode, useEffect } from 'react'
import { clientVault } from '../../shared/vault/vault.ts'
import { isLanding, whenTakenUp } from '../shell/wanted.ts'

/**
 * Gives the client's one vault to the components below. Its engine is loaded at once; on the landing when somebody is there, or
 * something of a vault is after all.
 */
export function VaultProvider({ children }: { children: ReactNode }) {
  const vault = clientVault()
  useEffect(() => {
    const start = () => {
      // The failure is in the snapshot.
      if (!vault.isInitialized) vault.initialize().catch(() => undefined)
    }
    return isLanding() ? whenTakenUp(start) : start()
  }, [vault])
  return <Provider vault={vault}>{children}</Provider>
}
