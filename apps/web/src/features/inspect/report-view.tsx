import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX } from 'lucide-react'
import { useMemo } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { type Narrowing, narrowingWords } from '../../shared/grant-words/chain.ts'
import { LimitList } from '../../shared/grant-words/limit-list.tsx'
import { policyLimits } from '../../shared/grant-words/limits.ts'
import type { Capability } from '../../shared/grant-words/sentence.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { exactJson } from '../../shared/policy/json.ts'
import { TryCall } from '../../shared/policy-editor/try-call.tsx'
import type { Effective, Link, Report } from '../../shared/tokens/report.ts'
import { GrantSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useRevoked } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { CodeBlock } from '../../shared/ui/text/code-block.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { commandWords } from '../../shared/words/command.ts'
import { moment } from '../../shared/words/when.ts'
import { shorten } from '../../shared/words/who.ts'

/** The report on a token: the verdict, what it allows, each link of its chain, and the payloads. */
export function ReportView({ report, text }: { report: Report; text: string }) {
  const { t } = useLingui()
  const contacts = useContacts()
  const leaf = report.links.at(-1)
  const count = report.links.length
  const refused = report.refusal?.title
  const cids = useMemo(() => report.links.map(({ cid }) => cid), [report])
  const revoked = useRevoked(cids)
  const holds = report.holds && revoked.length === 0
  const limits = useMemo(
    () => report.links.flatMap(({ capability }) => (capability === undefined ? [] : [capability])),
    [report],
  )
  return (
    <>
      <Card title={t`What it says`}>
        <div className="flex flex-col gap-4">
          {report.refusal ? (
            <Notice tone="bad" title={t`Do not rely on it. ${refused}`}>
              {report.refusal.advice}
            </Notice>
          ) : revoked.length > 0 ? (
            <Notice tone="bad" title={t`Do not rely on it. It was revoked.`}>
              <Trans>
                Its signatures and dates check out, but it was revoked. A service that doesn’t know this may
                still accept it: send it the revocation.
              </Trans>
            </Notice>
          ) : (
            <Notice tone="good" title={t`Valid.`}>
              {plural(count, {
                one: 'Its signature and dates check out, and it comes from its subject.',
                other: 'All # links check out: signatures, dates, commands, and who passed it to whom.',
              })}
            </Notice>
          )}
          {leaf?.capability ? (
            <GrantSentence
              cid={leaf.cid}
              capability={
                report.effective
                  ? { ...leaf.capability, ...report.effective, isEffective: true }
                  : leaf.capability
              }
              contacts={contacts}
              className="text-lg"
            />
          ) : null}
          {report.effective ? <EffectiveFacts effective={report.effective} links={count} /> : null}
          {holds && leaf?.capability ? <Keep text={text} audience={leaf.capability.audience} /> : null}
        </div>
      </Card>
      <Card title={t`The chain`} description={t`From the owner down to the current holder.`}>
        <ol className="flex flex-col gap-4">
          {report.links.map((link, index) => (
            <LinkItem
              key={link.cid}
              link={link}
              revoked={revoked.includes(link.cid)}
              before={report.holds ? report.links[index - 1]?.capability : undefined}
              position={index}
              count={count}
            />
          ))}
        </ol>
      </Card>
      {limits.length === 0 ? null : (
        <Card
          title={t`Try a call`}
          description={t`Would it be let through? Decided here, without signing anything.`}
        >
          <TryCall key={text} links={limits} />
        </Card>
      )}
    </>
  )
}

function EffectiveFacts({ effective, links }: { effective: Effective; links: number }) {
  const { t } = useLingui()
  const { limits, notes, never } = policyLimits(effective.command, effective.policy)
  return (
    <Facts
      facts={[
        [t`What it allows`, commandWords(effective.command)],
        [
          links > 1 ? t`Limits along the chain` : t`Limits`,
          never ? (
            t`no call can meet them`
          ) : limits.length === 0 ? (
            t`none`
          ) : (
            <LimitList key="limits" limits={limits} />
          ),
        ],
        notes.length === 0 ? undefined : [t`Left open`, notes.join(' ')],
        effective.notBefore === undefined ? undefined : [t`From when`, moment(effective.notBefore)],
        [t`Expires`, effective.expiresAt === undefined ? t`never` : moment(effective.expiresAt)],
      ]}
    />
  )
}

interface LinkItemProps {
  link: Link
  /** Whether this vault knows that it was revoked. */
  revoked: boolean
  /** What the previous link gave, if the chain is valid. */
  before: Capability | undefined
  position: number
  count: number
}

function LinkItem({ link, revoked, before, position, count }: LinkItemProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const fault = link.fault ?? (revoked ? t`It was revoked.` : undefined)
  const Icon = fault ? CircleX : CircleCheck
  const number = position + 1
  const place =
    count === 1
      ? t`The token`
      : position === 0
        ? t`Root`
        : position === count - 1
          ? t`Leaf`
          : t`Link ${number}`
  const kind = link.kind
  const narrowed = before && link.capability ? narrowingWords(before, link.capability) : undefined
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3">
      <div className="flex flex-col items-center">
        <Icon className={fault ? 'size-6 text-bad' : 'size-6 text-good'} aria-hidden />
        {position < count - 1 ? (
          <span className="mt-1 w-px flex-1 bg-line-strong" aria-hidden="true" />
        ) : null}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-semibold">{place}</h3>
          <Badge>{link.algorithm}</Badge>
          {fault ? (
            <Badge tone={link.fault ? 'bad' : 'plain'}>{link.fault ? t`refused` : t`revoked`}</Badge>
          ) : (
            <Badge tone="good">{t`signature fits`}</Badge>
          )}
        </div>
        {fault ? <p className="text-bad">{fault}</p> : null}
        {link.capability ? (
          <>
            <GrantSentence
              cid={link.cid}
              capability={link.capability}
              contacts={contacts}
              className="text-ink-soft"
            />
            <Facts
              facts={[
                [t`From`, <ContactName key="from" did={link.capability.issuer} what={t`the issuer’s DID`} />],
                [t`To`, <ContactName key="to" did={link.capability.audience} what={t`the audience’s DID`} />],
              ]}
            />
          </>
        ) : (
          <p className="text-ink-soft">
            <Trans>This is a token of kind “{kind}”; Keyhole checks delegations here.</Trans>
          </p>
        )}
        {narrowed === undefined ? null : <NarrowedBy {...narrowed} />}
        <DidText text={link.cid} what={t`the CID`} shown={shorten(link.cid, 8, 8)} />
        <details>
          <summary className="w-fit cursor-pointer rounded-md text-ink-soft text-sm hover:text-ink">
            <Trans>Raw payload</Trans>
          </summary>
          <div className="mt-2">
            <CodeBlock label="payload" text={exactJson(link.payload)} tall />
          </div>
        </details>
      </div>
    </li>
  )
}

/** How a link narrows the one before it. */
function NarrowedBy({ changes, limits }: Narrowing) {
  const { t } = useLingui()
  const count = limits.length
  return (
    <div className="text-ink-soft text-sm">
      {changes.length === 0 && count === 0 ? <p>{t`Passed on whole: nothing is narrowed.`}</p> : null}
      {changes.length === 0 ? null : <p>{changes.join(' ')}</p>}
      {count === 0 ? null : (
        <>
          <p>{plural(count, { one: 'Adds a limit:', other: 'Adds # limits:' })}</p>
          <LimitList limits={limits} />
        </>
      )}
    </div>
  )
}

/** Offers to keep a token that was issued to one of the account's own keys. */
function Keep({ text, audience }: { text: string; audience: string }) {
  const { t } = useLingui()
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const { own } = useContacts()
  const keep = useAction(async () => {
    await vault.tokens.receive(text, {})
    announce(t`Token stored`, t`It is among the ones you received.`)
  })
  if (!own.has(audience)) return null
  return (
    <div className="flex flex-col gap-3">
      <Failure error={keep.error} />
      <Button
        className="self-start"
        onClick={() => keep.run()}
        busy={keep.pending}
        disabled={phase !== 'unlocked'}
      >
        {phase === 'unlocked' ? t`It is for you: keep it` : t`It is for you: unlock to keep it`}
      </Button>
    </div>
  )
}
