import { useVault, useVaultEvent, useVaultSnapshot } from '@keyhole/vault-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { hush } from '../../shared/browser/announce.ts'
import { whenIdle } from '../../shared/browser/when-idle.ts'
import { forgetVaultQueries, refreshVaultQueries } from '../../shared/vault/vault-query.ts'

const whileUnlocked = () => import('./while-unlocked.ts')
/** Reads grants, so it waits until what the person sees has been read. */
const ExpiryReminder = lazy(async () => {
  await whenIdle()
  return { default: (await whileUnlocked()).ExpiryReminder }
})
const LockWarning = lazy(async () => ({ default: (await whileUnlocked()).LockWarning }))
const OpenMark = lazy(async () => ({ default: (await whileUnlocked()).OpenMark }))
const RevocationSender = lazy(async () => ({ default: (await whileUnlocked()).RevocationSender }))

/** What shows that someone is there. */
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
/** The shortest time between two reports to the vault, in milliseconds. */
const AT_MOST_EVERY = 1000

/** Reads an account's data again when it changes, in any tab. */
function useFreshQueries(): void {
  const client = useQueryClient()
  const { revision } = useVaultSnapshot()
  const seen = useRef(revision)
  useEffect(() => {
    if (seen.current === revision) return
    seen.current = revision
    refreshVaultQueries(client)
  }, [client, revision])
  // Not everything is in the sealed state, so some changes have their own event.
  useVaultEvent('vault:changed', ({ change }) => refreshVaultQueries(client, change))
  useVaultEvent('vault:imported', () => refreshVaultQueries(client))
}

/**
 * Tells the vault that someone is there, refreshes what was read from it when that changes, drops it when the vault locks, and warns before
 * that.
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
        // Browsers report a pointer move when the page changes under a resting pointer. The warning would close itself.
        const before = place
        place = `${event.screenX} ${event.screenY}`
        if (before === undefined || before === place) return
      }
      // Scripts also click, and those clicks don't count.
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

  return phase === 'unlocked' ? (
    <Suspense fallback={null}>
      <OpenMark />
      <RevocationSender />
      {locksAt === undefined ? null : <LockWarning locksAt={locksAt} />}
      {/* It waits, and the others must not: a window that opens meanwhile would take the vault for locked. */}
      <Suspense fallback={null}>
        <ExpiryReminder />
      </Suspense>
    </Suspense>
  ) : null
}
