import { canUsePasskeys } from '@keyhole/vault'
import { useEffect, useState } from 'react'

/** Whether a passkey can unlock a vault in this browser, as far as it says. Until it does, it can if the browser has any. */
export function useCanUsePasskeys(): boolean {
  const [can, setCan] = useState(() => typeof globalThis.PublicKeyCredential === 'function')
  useEffect(() => {
    canUsePasskeys().then(setCan)
  }, [])
  return can
}
