import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { RenewButton } from '../../shared/grant-actions/renew-button.tsx'
import { isRenewable } from '../../shared/grant-actions/renewable.ts'
import { HandOverGrant } from '../../shared/grant-form/hand-over-grant.tsx'
import { useNow } from '../../shared/hooks/use-now.ts'
import { exactJson } from '../../shared/policy/json.ts'
import { askForOpened } from '../../shared/relay/ask-for-opened.ts'
import { isGiven, storedStanding, storedWords } from '../../shared/tokens/capability.ts'
import type { Report } from '../../shared/tokens/report.ts'
import { RevocationText } from '../../shared/tokens/revocation-text.tsx'
import { StoredBadge } from '../../shared/tokens/stored-badge.tsx'
import { StoredSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useOpened } from '../../shared/tokens/use-opened.ts'
import { useReport } from '../../shared/tokens/use-report.ts'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { cx } from '../../shared/ui/cx.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { CodeBlock } from '../../shared/ui/text/code-block.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { REQUEST } from '../../shared/words/payment-commands.ts'
import { dayWords } from '../../shared/words/when.ts'
import { ChainCard } from './chain-card.tsx'
import { GrantLimits } from './grant-limits.tsx'
import { GrantUpkeep } from './grant-upkeep.tsx'
import { PassedOn } from './passed-on.tsx'
import { RevokeOrShow } from './revoke-or-show.tsx'

const UsageCard = lazy(() => import('./usage-card.tsx').then((m) => ({ default: m.UsageCard })))

const KINDS = {
  origin: msg`granted from your own key`,
  attenuated: msg`narrowed and passed on`,
  received: msg`received`,
} as const

function isListedKind(type: string): type is keyof typeof KINDS {
  return Object.hasOwn(KINDS, type)
}

interface GrantDetailsProps {
  stored: ListedToken
  /** Starts narrowing it. */
  onNarrow: () => void
  /** Starts using it. */
  onUse: () => void
  /** Called once it is removed from this vault. */
  onRemoved: () => void
}

/** One grant on a page of its own: what it allows, who has it, where it came from, and what can be done about it. */
export function GrantDetails(props: GrantDetailsProps) {
  const { stored, onRemoved } = props
  const { t } = useLingui()
  const place = useRef<HTMLElement>(null)
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  const now = useNow()
  const { report, error } = useReport(stored)
  const { revokedAbove = false } = stored
  const over = storedStanding(stored, now) === 'ended' || stored.revoked || revokedAbove
  const name = stored.label ?? storedWords(stored)
  return (
    <article ref={place} tabIndex={-1} aria-label={name} className="flex flex-col gap-8 outline-none">
      <Summary {...props} now={now} name={name} over={over} revokedAbove={revokedAbove} />
      <Failure error={error} />
      <GrantLimits stored={stored} report={report} />
      <PassedOn stored={stored} />
      {/* No gate sees a request for a payment: it goes to this vault. */}
      {stored.type === 'origin' && stored.command !== REQUEST ? (
        <Suspense>
          <UsageCard cid={stored.cid} />
        </Suspense>
      ) : null}
      {report ? <ChainCard report={report} type={stored.type} /> : null}
      {over ? null : isGiven(stored) ? (
        <Card title={<Trans>Hand it over again</Trans>}>
          <HandOverGrant grant={stored} />
        </Card>
      ) : (
        <Card
          title={<Trans>Its token</Trans>}
          description={
            <Trans>Only your key can use it. To let someone else, narrow it and pass that on.</Trans>
          }
        >
          <CodeBlock label={t`token`} text={stored.token} />
        </Card>
      )}
      <About stored={stored} report={report} />
      <GrantUpkeep stored={stored} over={over} onRemoved={onRemoved} />
    </article>
  )
}

interface SummaryProps extends Omit<GrantDetailsProps, 'onRemoved'> {
  now: number
  name: string
  /** Whether it has expired, or it or what it came from was revoked. */
  over: boolean
  revokedAbove: boolean
}

/** What it is called, who has it, what it says, and where it stands. */
function Summary({ stored, now, name, over, revokedAbove, onNarrow, onUse }: SummaryProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const { phase } = useVaultSnapshot()
  const [isRevocationShown, setRevocationShown] = useState(false)
  const grants = useMemo(() => [stored], [stored])
  const isOwnGrant = isGiven(stored)
  // A grant from a key to itself adds nothing, and a chain through it could be read in two ways.
  const isHeld = contacts.own.has(stored.audienceDid) && stored.issuer !== stored.audienceDid && !over
  return (
    <Card
      title={
        <span
          className={cx('wrap-anywhere', stored.label === undefined && 'inline-block first-letter:uppercase')}
        >
          {name}
        </span>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <span className="text-ink-faint">{isOwnGrant ? t`Held by` : t`Given by`}</span>
          <ContactName
            did={isOwnGrant ? stored.audienceDid : stored.issuer}
            what={isOwnGrant ? t`the holder’s DID` : t`the issuer’s DID`}
          />
        </p>
        <StoredSentence stored={stored} contacts={contacts} className="text-lg" />
        <p>
          <StoredBadge stored={stored} revoked={stored.revoked} revokedAbove={revokedAbove} now={now} />
        </p>
        {isOwnGrant ? <Opened cid={stored.cid} /> : null}
        <div className="flex flex-wrap gap-2 empty:hidden">
          {isHeld ? (
            <>
              {isOwnGrant ? null : (
                <Button size="small" tone="primary" onClick={onUse}>
                  <Trans>Use it</Trans>
                </Button>
              )}
              <Button size="small" onClick={onNarrow}>
                <Trans>Narrow and pass on</Trans>
              </Button>
            </>
          ) : null}
          {isOwnGrant && !over && isRenewable(stored) ? <RenewButton grants={grants} /> : null}
          {isOwnGrant && (!over || stored.revoked) ? (
            <RevokeOrShow
              grants={grants}
              revoked={stored.revoked}
              isShown={isRevocationShown}
              onShow={setRevocationShown}
            />
          ) : null}
        </div>
        {stored.revoked && isRevocationShown && phase === 'unlocked' ? (
          <RevocationText cid={stored.cid} />
        ) : null}
      </div>
    </Card>
  )
}

/** When the other side said that it opened the grant. Asks the relay when it is shown. Nothing while that isn't known. */
function Opened({ cid }: { cid: string }) {
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const openedAt = useOpened(cid)
  const isWaiting = phase === 'unlocked' && openedAt === undefined
  useEffect(() => {
    if (isWaiting) void askForOpened(vault)
  }, [vault, isWaiting])
  if (openedAt === undefined) return null
  const date = dayWords(openedAt)
  return (
    <p className="text-ink-soft text-sm">
      <Trans>Opened on {date}. Their Keyhole said so.</Trans>
    </p>
  )
}

/** Who signed it and when, and the exact payload one fold away. */
function About({ stored, report }: { stored: ListedToken; report: Report | undefined }) {
  const { t, i18n } = useLingui()
  const leaf = report?.links.find(({ cid }) => cid === stored.cid)
  return (
    <Card title={t`Details`}>
      <div className="flex flex-col gap-5">
        <Facts
          facts={[
            [t`Kind`, isListedKind(stored.type) ? i18n._(KINDS[stored.type]) : stored.type],
            [t`From`, <ContactName key="from" did={stored.issuer} what={t`the issuer’s DID`} />],
            [t`To`, <ContactName key="to" did={stored.audienceDid} what={t`the audience’s DID`} />],
            stored.subject === null
              ? [t`Subject`, t`the person who grants it to the issuer`]
              : [t`Subject`, <ContactName key="subject" did={stored.subject} what={t`the subject’s DID`} />],
            [t`Command`, <code key="command">{stored.command}</code>],
            [t`Stored`, <TimeText key="stored" at={stored.createdAt} />],
            [t`CID`, <DidText key="cid" text={stored.cid} what={t`the CID`} />],
          ]}
        />
        {leaf === undefined ? null : (
          <Fold title={t`Raw payload`}>
            <CodeBlock label={t`payload`} text={exactJson(leaf.payload)} tall />
          </Fold>
        )}
      </div>
    </Card>
  )
}
