import type { ActivityLine } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useContactIndex, useContacts } from '../../shared/contacts/use-contacts.ts'
import { formatTag } from '../../shared/language/language.ts'
import { useMandateNames } from '../../shared/tokens/use-mandate-names.ts'
import { cx } from '../../shared/ui/cx.ts'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { aboutFacts, actWords, deviceWords, type Fact, outcomeWords } from '../../shared/words/activity.ts'
import { payeeName } from '../../shared/words/payment.ts'
import { nameWords, shorten, who } from '../../shared/words/who.ts'

/** One line of the log. */
export function ActivityItem({ line, rewritten }: { line: ActivityLine; rewritten: boolean }) {
  const facts = aboutFacts(line)
  const { tab, device } = line
  return (
    <div className="grid gap-x-4 gap-y-1 py-3 text-sm sm:grid-cols-[3.5rem_minmax(0,1fr)_max-content]">
      <span className="text-ink-faint max-sm:hidden">{line.seq}</span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere min-w-0 font-medium">{actWords(line.act, line.outcome)}</span>
          {line.outcome === 'done' ? null : <Badge tone="warn">{outcomeWords(line.outcome)}</Badge>}
          {line.source === undefined ? null : (
            <Badge>
              {line.source === 'backup' ? <Trans>from a backup</Trans> : <Trans>from before a backup</Trans>}
            </Badge>
          )}
          {device === undefined ? null : (
            <Badge>
              <bdi>{deviceWords(device)}</bdi>
            </Badge>
          )}
          {rewritten ? (
            <Badge tone="bad">
              <Trans>altered</Trans>
            </Badge>
          ) : null}
        </p>
        {facts.length > 0 ? (
          <p className="wrap-anywhere text-ink-faint text-xs">
            {facts.map((fact, index) => (
              <Fragment key={fact.field}>
                <span className={isShort(fact) ? 'whitespace-nowrap' : undefined}>
                  <FactWords fact={fact} act={line.act} />
                  {index < facts.length - 1 ? ',' : ''}
                </span>{' '}
              </Fragment>
            ))}
          </p>
        ) : null}
      </div>
      <p className="text-ink-faint text-xs sm:text-right">
        <time dateTime={new Date(line.at).toISOString()}>{timeWords(line.at)}</time>{' '}
        <span className="sm:block">
          <Trans>in tab {tab}</Trans>
        </span>
      </p>
    </div>
  )
}

/** Whether a fact is an identifier that is shortened to fit a line. */
function isShort({ field, finds }: Fact): boolean {
  return finds !== undefined && field !== 'payee'
}

/** Acts that are about a grant, given or received. */
const GRANT_ACTS: ReadonlySet<string> = new Set([
  'grant',
  'narrow',
  'receive',
  'labelToken',
  'handOver',
  'opened',
])

/** The look of a link to what a line is about. */
const IDENTIFIED =
  'reach inline-block min-h-6 rounded-sm text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink'

function FactWords({ fact: { name, field, value, finds }, act }: { fact: Fact; act: string }) {
  const { t } = useLingui()
  const { index } = useContactIndex()
  const contacts = useContacts()
  if (value === '') return name
  const contact = field === 'contact' ? index?.byId.get(value) : undefined
  if (contact) {
    return (
      <>
        {name} <bdi className="text-ink-soft">{nameWords(contact.name)}</bdi>
      </>
    )
  }
  if (field === 'mandate') return <MandateFact name={name} cid={value} />
  // Who and what is known has a page. Search finds the rest.
  const isGrant = field === 'revokes' || (field === 'cid' && GRANT_ACTS.has(act))
  const isDid = value.startsWith('did:')
  // Only identifiers are shortened, never words.
  const short =
    field === 'payee'
      ? payeeName(finds ?? value, contacts)
      : field === 'audience' && contacts.own.has(value)
        ? t({ message: 'you', context: 'to you', comment: 'After “to”, in the log' })
        : isDid
          ? who(value, contacts)
          : /\s/.test(value)
            ? value
            : shorten(value, 8, 8)
  return (
    <>
      {name}{' '}
      {finds === undefined ? (
        <span className="text-ink-soft">{short}</span>
      ) : (
        <Link
          {...(isGrant
            ? { to: '/identity', search: { tab: act === 'receive' ? 'received' : 'grants', token: finds } }
            : { to: '/search', search: { q: finds } })}
          title={finds}
          className={cx(!isDid && field !== 'payee' && 'font-mono', IDENTIFIED)}
        >
          <bdi>{short}</bdi>
        </Link>
      )}
    </>
  )
}

/** A mandate by its name, and the way to its page. Without a name, its identifier. */
function MandateFact({ name, cid }: { name: string; cid: string }) {
  const called = useMandateNames().get(cid)
  return (
    <>
      {name}{' '}
      <Link
        to="/payment"
        search={{ tab: 'mandates', mandate: cid }}
        title={cid}
        className={cx(called === undefined && 'font-mono', IDENTIFIED)}
      >
        <bdi>{called ?? shorten(cid, 8, 8)}</bdi>
      </Link>
    </>
  )
}

function timeWords(at: number): string {
  return new Intl.DateTimeFormat(formatTag(), { timeStyle: 'medium' }).format(at)
}
