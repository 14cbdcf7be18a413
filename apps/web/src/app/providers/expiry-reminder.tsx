import { useVaultSnapshot } from '@keyhole/vault-react'
import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useTokenPage } from '../../shared/tokens/use-tokens.ts'

/** The tag with which the browser wakes the service worker (`sw/expiry-reminder.ts`). */
const TAG = 'grants-expire'
/** The browser decides how often; it is asked for twice a day. In milliseconds. */
const OFTEN = 12 * 3_600_000
/** How many of the next grants to report. */
const NEXT = 50

/**
 * Tells the service worker when the next grants expire: it shows their number on the app's icon, and a notification where the person
 * allowed that, also while no page is open. The times go there and the words, and no name: what the worker keeps is under a digest.
 */
export default function ExpiryReminder() {
  const { loading, tokens, error } = useTokenPage({ list: 'given', live: true, limit: NEXT, early: true })
  const { address } = useVaultSnapshot()
  const isKnown = address !== undefined && !loading && error === undefined
  // Compared as text: the list is read again after every change, but reported only when an expiry changed.
  const ends = tokens.flatMap(({ expiresAt }) => expiresAt ?? []).join(' ')
  useEffect(() => {
    if (isKnown) void tell(`vault_${address}`, ends === '' ? [] : ends.split(' ').map(Number))
  }, [isKnown, address, ends])
  return null
}

/** @param vault the name of its database, so that the worker sees when it is gone @param ends in milliseconds since 1970 */
async function tell(vault: string, ends: readonly number[]): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  registration?.active?.postMessage({
    remind: {
      vault,
      ends,
      title: t`Grants expire soon`,
      body: t`Open Keyhole to renew what you still need.`,
    },
  })
  if (registration && 'periodicSync' in registration) await wakeNowAndThen(registration.periodicSync)
}

/** Not every browser does it, and not for every page: then it is told while the client is open. */
async function wakeNowAndThen(sync: unknown): Promise<void> {
  if (typeof sync !== 'object' || sync === null || !('register' in sync)) return
  const { register } = sync
  if (typeof register !== 'function') return
  await Promise.resolve(register.call(sync, TAG, { minInterval: OFTEN })).catch(() => undefined)
}
