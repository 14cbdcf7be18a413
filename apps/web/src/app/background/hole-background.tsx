import { useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect } from 'react'
import { setHole } from '../../shared/browser/hole.ts'
import { whenIdle } from '../../shared/browser/when-idle.ts'

/** The hole behind every page: begun when the page is at rest, unless it is on the landing already, and lit while a vault is open. */
export function HoleBackground() {
  const { phase } = useVaultSnapshot()
  useEffect(() => {
    whenIdle()
      .then(() => import('./begin-hole.ts'))
      .then(
        ({ beginHole }) => beginHole(),
        // Without its script the page has everything but a decoration.
        () => undefined,
      )
  }, [])
  useEffect(() => setHole({ lit: phase === 'unlocked' }), [phase])
  return null
}
