import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useEffect, useMemo } from 'react'
import { useContactIndex, useContacts } from '../contacts/use-contacts.ts'
import type { FindQuery } from '../search-index/query.ts'
import { tokenClient } from '../search-index/token-client.ts'
import { useVaultQuery } from '../vault/vault-query.ts'
import {
  accountEntries,
  activityEntries,
  contactEntries,
  keyEntries,
  namedPayments,
  paymentEntries,
  sessionEntries,
} from './entries.ts'
import { useFoundPayments } from './payments.ts'

/**
 * Prepares what can be found apart from tokens. Payments and the activity log can be long, so they are read only when needed.
 * @returns whether these two are among what can be found
 */
export function useEntries({ kind, words }: FindQuery): boolean {
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
  const payments = useFoundPayments(isWanted('payment'))
  const { index } = useContactIndex()
  const contacts = useContacts()
  // Prepared again when a name changes.
  const named = useMemo(
    () => ({
      contacts,
      payments: payments && namedPayments(payments, contacts),
      lines: activity?.lines.toReversed(),
    }),
    [contacts, payments, activity],
  )
  // A lock ends the service and discards these, so each phase prepares them again.
  useEffect(() => {
    if (phase !== 'unlocked' && phase !== 'locked') return
    const client = tokenClient()
    client.put('keys', keys, keyEntries)
    client.put('accounts', accounts, accountEntries)
    if (sessions) client.put('sessions', sessions, sessionEntries)
    if (index) {
      client.put('contacts', index.contacts, contactEntries)
      client.name(index.named)
    }
    const { contacts, payments, lines } = named
    if (payments) client.put('payments', payments, (list) => paymentEntries(list, contacts))
    if (lines) client.put('activity', lines, (list) => activityEntries(list, contacts))
  }, [phase, keys, accounts, sessions, index, named])
  return named.payments !== undefined && named.lines !== undefined
}
