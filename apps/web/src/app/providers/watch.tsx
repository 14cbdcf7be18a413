import { useVault, useVaultEvent, useVaultSnapshot } from '@keyhole/vault-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { hush } from '../../shared/browser/announce.ts'
import { forgetVaultQueries, refreshVaultQueries } from '../../shared/vault/vault-query.ts'

const LockWarning = lazy(() => import('./lock-warning.tsx'))

/** What a person does to show that they are there. */
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
/** The vault need not hear more often than this, in milliseconds. */
const AT_MOST_EVERY = 1000

/** Reads again what is shown of an account when that changes, in any tab. */
function useFreshQueries(): void {
  const client = useQueryClient()
  const { revision } = useVaultSnapshot()
  const seen = useRef(revision)
  useEffect(() => {
    if (seen.current === revision) return
    seen.current = revision
    refreshVaultQueries(client)
  }, [client, revision])
  // Not everything is in the sealed state: what is called by the name of a change is read again after it, too.
  useVaultEvent('vault:changed', ({ change }) => refreshVaultQueries(client, change))
  useVaultEvent('vault:imported', () => refreshVaultQueries(client))
}

/**
 * Tells the vault that someone is there, reads again what was read from it when that changes, drops it and what was told of it when the
 * vault locks, and warns before it does.
 */
export function Watch() {
  const vault = useVault()
  const client = useQueryClient()
  const { phase, locksAt } = useVaultSnapshot()
  useFreshQueries()

  useEffect(() => {
    if (phase !== 'unlocked') return
    let last = Number.NEGATIVE_INFINITY
    let place: string | undefined
    const used = (event: Event) => {
      if (event instanceof PointerEvent && event.type === 'pointermove') {
        // A page that changes under a pointer at rest moves nothing, though browsers say so: a warning would end itself.
        const before = place
        place = `${event.screenX} ${event.screenY}`
        if (before === undefined || before === place) return
      }
      // A script's clicks are nobody's.
      if (!event.isTrusted || event.timeStamp - last < AT_MOST_EVERY) return
      last = event.timeStamp
      vault.touch()
    }
    for (const act of ACTS) addEventListener(act, used, { passive: true, capture: true })
    return () => {
      for (const act of ACTS) removeEventListener(act, used, { capture: true })
    }
  }, [vault, phase])

  useVaultEvent('vault:locked', ({ address }) => {
    forgetVaultQueries(client, address)
    hush()
  })

  return phase === 'unlocked' && locksAt !== undefined ? (
    <Suspense fallback={null}>
      <LockWarning locksAt={locksAt} />
    </Suspense>
  ) : null
}
