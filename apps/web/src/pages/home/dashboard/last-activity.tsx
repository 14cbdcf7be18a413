import type { ActivityLine } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useContactIndex, useContacts } from '../../../shared/contacts/use-contacts.ts'
import { Who } from '../../../shared/grant-words/sentence-view.tsx'
import { storedWords } from '../../../shared/tokens/capability.ts'
import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { TimeText } from '../../../shared/ui/text/time-text.tsx'
import { useVaultQuery } from '../../../shared/vault/vault-query.ts'
import { aboutFacts, actWords, deviceWords, outcomeWords } from '../../../shared/words/activity.ts'
import { payeeName } from '../../../shared/words/payment.ts'
import { type Contacts, nameWords, who } from '../../../shared/words/who.ts'

/** Lines shown. */
const MOST = 5

interface LastActivityProps {
  /** Tokens by whose names a line says what it was about. */
  known: readonly ListedToken[]
}

/** What was done with the vault last; its log is sealed, so only while it is open. */
export function LastActivity({ known }: LastActivityProps) {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  return (
    <Card
      title={t`Last activity`}
      actions={
        <Link
          to="/identity"
          search={{ tab: 'activity' }}
          className={buttonClass('bare', 'small', '-my-1 -mr-3 max-w-none!')}
        >
          <Trans>See all</Trans>
        </Link>
      }
    >
      {phase === 'unlocked' ? (
        <Lines known={known} />
      ) : (
        <p className="text-ink-soft text-sm">
          <Trans>Activity is encrypted. Unlock the vault to read it.</Trans>
        </p>
      )}
    </Card>
  )
}

function Lines({ known }: LastActivityProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { data, failed } = useVaultQuery('activity', () => vault.activity.read(), { onFocus: true })
  if (failed) return <Failure error={failed} />
  if (data === undefined) {
    return <Skeleton label={t`Opening the activity…`} rows={MOST} />
  }
  const last = data.lines.slice(-MOST).toReversed()
  return (
    <ol className="flex flex-col divide-y divide-line">
      {last.map((line) => (
        <Line key={`${line.device?.id ?? ''} ${line.seq}`} line={line} known={known} />
      ))}
    </ol>
  )
}

function Line({ line, known }: LastActivityProps & { line: ActivityLine }) {
  const { at, act, outcome, about, device } = line
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2 text-sm">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        {actWords(act, outcome)}
        <About line={line} token={known.find(({ cid }) => cid === about?.cid)} />
        {outcome === 'done' ? null : <Badge tone="warn">{outcomeWords(outcome)}</Badge>}
        {device === undefined ? null : (
          <span className="wrap-anywhere text-ink-faint text-xs">
            <bdi>{deviceWords(device)}</bdi>
          </span>
        )}
      </span>
      <span className="text-ink-faint text-xs">
        <TimeText at={at} />
      </span>
    </li>
  )
}

interface AboutProps {
  line: ActivityLine
  /** The token of the line, where it is known. */
  token: ListedToken | undefined
}

/** What the token of a line is called, or lets its holder do, how much was paid, and who the line is about. */
function About({ line, token }: AboutProps) {
  const { about = {} } = line
  const contacts = useContacts()
  const { index } = useContactIndex()
  const contact = typeof about.contact === 'string' ? index?.byId.get(about.contact)?.name : undefined
  const words = [
    token && (token.label ?? storedWords(token)),
    contact && nameWords(contact),
    paidWords(line),
    partyWords(about, contacts),
  ].filter((each) => each !== undefined && each !== '')
  if (words.length === 0) return null
  return (
    <bdi className="wrap-anywhere text-ink-soft">
      <Who text={words.join(' · ')} />
    </bdi>
  )
}

/** How much a line says was paid. Undefined if it isn't about a payment: an amount alone may be a budget. */
function paidWords(line: ActivityLine): string | undefined {
  if (line.about?.payee === undefined) return undefined
  return aboutFacts(line).find(({ field }) => field === 'amount')?.value
}

/** Who was paid, or who has or asked for what a line is about. Undefined if that is the account itself. */
function partyWords({ payee, audience, requester }: NonNullable<ActivityLine['about']>, contacts: Contacts) {
  if (typeof payee === 'string') return payeeName(payee, contacts)
  const did = audience ?? requester
  const isOther = typeof did === 'string' && did.startsWith('did:') && !contacts.own.has(did)
  return isOther ? who(did, contacts) : undefined
}
