import { useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect } from 'react'
import { setHole } from '../../shared/browser/hole-state.ts'
import { whenIdle } from '../../shared/browser/when-idle.ts'

/**
 * The hole behind every page. It starts when the page is idle, unless the landing page has started it already, and is lit while a vault is
 * open.
 */
export function HoleBackground() {
  const { phase } = useVaultSnapshot()
  useEffect(() => {
    whenIdle()
      .then(() => import('./begin-hole.ts'))
      .then(
        ({ beginHole }) => beginHole(),
        // Without this script only a decoration is missing.
        () => undefined,
      )
  }, [])
  useEffect(() => setHole({ lit: phase === 'unlocked' }), [phase])
  return null
}
