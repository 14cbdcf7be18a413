import { VaultProvider as Provider } from '@keyhole/vault-react'
import { type ReactNode, useEffect } from 'react'
import { isDrawn } from '../../shared/browser/drawn.ts'
import { clientVault } from '../../shared/vault/vault.ts'
import { onFirstUse } from '../shell/when-needed.ts'

/**
 * Provides the client's one vault. Its engine loads at once; on a page that came drawn, only when someone does something or a vault turns
 * out to exist.
 */
export function VaultProvider({ children }: { children: ReactNode }) {
  const vault = clientVault()
  useEffect(() => {
    const start = () => {
      // The snapshot has the failure.
      if (!vault.isInitialized) vault.initialize().catch(() => undefined)
    }
    return isDrawn() ? onFirstUse(start) : start()
  }, [vault])
  return <Provider vault={vault}>{children}</Provider>
}
