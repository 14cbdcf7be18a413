import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { StoredBadge } from '../../shared/tokens/stored-badge.tsx'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'

/** Shown at first, and how many more each time. */
const STEP = 10

interface ContactGrantsProps {
  /** What this account gave to the contact, or was given by it. */
  list: 'given' | 'received'
  dids: readonly string[]
  title: string
  /** What is said where there is nothing. */
  none: string
  /** What can be done with all of them. */
  actions?: ReactNode
}

/** The tokens between this account and a contact, the next to end first. */
export function ContactGrants({ list, dids, title, none, actions }: ContactGrantsProps) {
  const now = useNow()
  const contacts = useContacts()
  const [limit, setLimit] = useState(STEP)
  const { loading, tokens, total, error } = useTokenPage({ list, people: dids, limit })
  const more = total - tokens.length
  return (
    <Card title={title} actions={actions}>
      <Failure error={error} />
      {loading ? <Skeleton /> : null}
      {!loading && total === 0 && !error ? <p className="text-ink-soft text-sm">{none}</p> : null}
      <ul aria-label={title} className="flex flex-col divide-y divide-line">
        {tokens.map((token) => (
          <li key={token.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3">
            <div className="min-w-0 flex-1 basis-64 text-sm">
              {token.label ? <p className="wrap-anywhere font-semibold">{token.label}</p> : null}
              <StoredSentence stored={token} contacts={contacts} className="text-ink-soft" />
              <Link
                to="/identity"
                search={{ tab: list === 'given' ? 'grants' : 'received', token: token.cid }}
                className="reach inline-block min-h-6 underline underline-offset-4"
              >
                <Trans>Details</Trans>
              </Link>
            </div>
            <StoredBadge
              stored={token}
              revoked={token.revoked}
              revokedAbove={token.revokedAbove ?? false}
              now={now}
            />
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <Button size="small" className="mt-3" onClick={() => setLimit(limit + 5 * STEP)}>
          <Plural value={more} one="Show # more" other="Show # more" />
        </Button>
      ) : null}
    </Card>
  )
}
