import { useVault } from '@keyhole/vault-react'
import { useCallback, useEffect, useState } from 'react'

/** How safe the browser keeps what is stored, as far as it tells. Bytes. */
export interface StorageHealth {
  /** Kept until the person removes it; false means the browser may clear it when room runs out. */
  persisted: boolean | undefined
  usage: number | undefined
  quota: number | undefined
}

/** Reads the storage's health, and asks the browser to keep it. */
export function useStorage(): { health: StorageHealth | undefined; ask: () => Promise<boolean> } {
  const vault = useVault()
  const [health, setHealth] = useState<StorageHealth>()
  const [asked, setAsked] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again once the browser was asked
  useEffect(() => {
    let current = true
    const look = async (): Promise<StorageHealth> => {
      // Absent outside secure contexts and in some private windows.
      const storage: StorageManager | undefined = navigator.storage
      const [persisted, estimate] = await Promise.all([
        storage?.persisted?.().catch(() => undefined),
        storage?.estimate?.().catch(() => undefined),
      ])
      return { persisted, usage: estimate?.usage, quota: estimate?.quota }
    }
    look().then((next) => current && setHealth(next))
    return () => {
      current = false
    }
  }, [asked])

  const ask = useCallback(async () => {
    const granted = await vault.client.requestPersistentStorage()
    setAsked((count) => count + 1)
    return granted === true
  }, [vault])
  return { health, ask }
}
