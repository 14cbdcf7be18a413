import { VaultProvider as Provider } from '@keyhole/vault-react'
import { type ReactNode, useEffect } from 'react'
import { hasTracesOfVault, isVaultKnown } from '../shell/known-vault.ts'
import { whenSomeoneIsThere } from './someone-there.ts'
import { clientVault } from './vault.ts'

/** Whether the page is read before anything is done on it: the landing, without a vault that would have to be opened. */
const isLanding = () => location.pathname === '/' && !isVaultKnown()

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
    if (!isLanding()) return start()
    let isMounted = true
    const forget = whenSomeoneIsThere(start)
    hasTracesOfVault().then((found) => {
      if (found && isMounted) start()
    })
    return () => {
      isMounted = false
      forget()
    }
  }, [vault])
  return <Provider vault={vault}>{children}</Provider>
}
