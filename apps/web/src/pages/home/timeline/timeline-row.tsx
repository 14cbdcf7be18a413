import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { SentenceText } from '../../../shared/grant-words/sentence-view.tsx'
import { isSuspended, storedCapability } from '../../../shared/tokens/capability.ts'
import { StoredBadge } from '../../../shared/tokens/stored-badge.tsx'
import { WithBudget } from '../../../shared/tokens/stored-sentence.tsx'
import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'
import { cx } from '../../../shared/ui/cx.ts'
import { useMandates } from '../../../shared/vault/use-sealed-lists.ts'
import { moment } from '../../../shared/words/when.ts'
import type { Bar } from './time-scale.ts'

// The page is drawn without it.
const GrantActions = lazy(async () => ({
  default: (await import('../../../shared/grant-actions/grant-actions.tsx')).GrantActions,
}))

interface TimelineRowProps {
  token: ListedToken
  now: number
  /** Where now stands, in per cent of the width. */
  present: number
  bar: Bar
  /** Where the focus goes once it is revoked. */
  leadsTo: () => HTMLElement | null
}

/** One active grant: whom it lets do what, and its bar. Leads to all about it; renewed and revoked in place. */
export function TimelineRow({ token, now, present, bar, leadsTo }: TimelineRowProps) {
  const grants = useMemo(() => [token], [token])
  const { mandates } = useMandates()
  return (
    <li className="flex flex-col">
      <Link
        to="/identity"
        search={{ tab: 'grants', token: token.cid }}
        className="flex flex-col gap-2 rounded-lg py-2.5 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 sm:flex-nowrap">
          <span className="min-w-0 wrap-anywhere text-sm">
            {token.label ? <strong className="font-semibold">{token.label}: </strong> : null}
            <Allowed token={token} now={now} />
          </span>
          <StoredBadge stored={token} now={now} />
        </span>
        <Window token={token} />
        <Track bar={bar} present={present} isMuted={isSuspended(token, mandates, now)} />
      </Link>
      <div className="mb-2 flex min-h-9 flex-wrap justify-end gap-2">
        <Suspense fallback={null}>
          <GrantActions grants={grants} leadsTo={leadsTo} />
        </Suspense>
      </div>
    </li>
  )
}

/** The whole of it in words. A part of it would say less than was granted. */
function Allowed({ token, now }: { token: ListedToken; now: number }) {
  const contacts = useContacts()
  return (
    <span>
      <WithBudget cid={token.cid} capability={storedCapability(token)}>
        {(capability) => <SentenceText capability={capability} contacts={contacts} now={now} />}
      </WithBudget>
    </span>
  )
}

/** What the bar shows, for who cannot see it. */
function Window({ token: { notBefore, createdAt, expiresAt } }: { token: ListedToken }) {
  const begins = moment(notBefore ?? createdAt)
  const ends = expiresAt === undefined ? undefined : moment(expiresAt)
  return (
    <span className="sr-only">
      {ends === undefined ? (
        <Trans>From {begins}, with no expiry date.</Trans>
      ) : (
        <Trans>
          From {begins} until {ends}.
        </Trans>
      )}
    </span>
  )
}

interface TrackProps extends Pick<TimelineRowProps, 'bar' | 'present'> {
  /** Whether it can't be used at present. */
  isMuted: boolean
}

function Track({ bar: { left, past, future, beyond }, present, isMuted }: TrackProps) {
  return (
    <span className="relative block h-3" aria-hidden="true">
      <span className="absolute inset-x-0 top-1 h-1.5 overflow-hidden rounded-full bg-sunken">
        <span
          className="absolute inset-y-0 rounded-full bg-line-strong forced-colors:bg-[GrayText]"
          style={{ left: `${left}%`, width: `${past}%` }}
        />
        <span
          className={cx(
            'absolute inset-y-0 rounded-full',
            isMuted
              ? 'bg-line-strong forced-colors:bg-[GrayText]'
              : 'bg-brass-fill forced-colors:bg-[CanvasText]',
          )}
          style={{ left: `${left + past}%`, width: `${future}%` }}
        />
      </span>
      {beyond ? (
        <span
          className={`absolute -top-0.5 bg-surface px-0.5 text-ink-faint text-xs leading-4 ${beyond === 'after' ? 'right-0' : 'left-0'}`}
        >
          {beyond === 'after' ? '→' : '←'}
        </span>
      ) : null}
      {present >= 0 && present <= 100 ? (
        <span
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-bad-fill forced-colors:bg-[Highlight]"
          style={{ left: `${present}%` }}
        />
      ) : null}
    </span>
  )
}
