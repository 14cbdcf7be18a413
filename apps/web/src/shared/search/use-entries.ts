import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect, useMemo } from 'react'
import type { FindQuery } from '../search-index/query.ts'
import { tokenClient } from '../search-index/token-client.ts'
import { useVaultQuery } from '../vault/vault-query.ts'
import { accountEntries, activityEntries, keyEntries, paymentEntries, sessionEntries } from './entries.ts'

/** Lays out what is to be found besides tokens. What can be long, payments and the activity log, is read once it is asked for. */
export function useEntries({ kind, words }: FindQuery): void {
  const vault = useVault()
  const { phase, keys, accounts } = useVaultSnapshot()
  const open = phase === 'unlocked'
  const isWanted = (wanted: 'payment' | 'activity') =>
    open && (kind === wanted || (kind === undefined && words.length > 0))
  const { data: sessions } = useVaultQuery('sessions for search', () => vault.sessions.list(), {
    enabled: open,
  })
  const { data: activity } = useVaultQuery('activity for search', () => vault.activity.read(), {
    enabled: isWanted('activity'),
  })
  const { data: payments } = useVaultQuery('payments for search', () => vault.payments.list(), {
    enabled: isWanted('payment'),
  })
  const newestFirst = useMemo(() => activity?.lines.toReversed(), [activity])
  // A lock ends the client's service with what it was given: each phase lays out anew.
  useEffect(() => {
    if (phase !== 'unlocked' && phase !== 'locked') return
    const client = tokenClient()
    client.put('keys', keys, keyEntries)
    client.put('accounts', accounts, accountEntries)
    if (sessions) client.put('sessions', sessions, sessionEntries)
    if (payments) client.put('payments', payments, paymentEntries)
    if (newestFirst) client.put('activity', newestFirst, activityEntries)
  }, [phase, keys, accounts, sessions, payments, newestFirst])
}
