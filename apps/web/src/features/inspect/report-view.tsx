import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { LimitList } from '../../shared/grant-words/limit-list.tsx'
import { policyLimits } from '../../shared/grant-words/limits.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { TryCall } from '../../shared/policy-editor/try-call.tsx'
import { InVault } from '../../shared/tokens/in-vault.tsx'
import type { Effective, Report } from '../../shared/tokens/report.ts'
import { GrantSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useRevoked, useToken } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { commandWords } from '../../shared/words/command.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { moment } from '../../shared/words/when.ts'
import { ChainCard } from './chain-card.tsx'

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
                one: 'Its signature and dates check out, and its owner issued it.',
                other: 'All # links check out: signatures, dates, commands, and who passed it to whom.',
              })}{' '}
              <Trans>Keyhole knows of no revocation, but a service might.</Trans>
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
          {holds && leaf?.capability ? (
            <Keep text={text} cid={leaf.cid} audience={leaf.capability.audience} />
          ) : null}
        </div>
      </Card>
      <ChainCard links={report.links} revoked={revoked} isValid={report.holds} />
      {limits.length === 0 ? null : (
        <Card
          title={t`Try a call`}
          description={t`Would this call be allowed? Keyhole checks it here and signs nothing.`}
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
        notes.length === 0 ? undefined : [t`Beyond that`, notes.join(' ')],
        effective.notBefore === undefined ? undefined : [t`Starts`, moment(effective.notBefore)],
        [t`Expires`, effective.expiresAt === undefined ? t`never` : moment(effective.expiresAt)],
      ]}
    />
  )
}

/** Offers to keep a token that was issued to one of the account's own keys. */
function Keep({ text, cid, audience }: { text: string; cid: string; audience: string }) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { phase } = snapshot
  const { own } = useContacts()
  const keep = useAction(async () => {
    await vault.tokens.receive(text, {})
    announce(t`Added to your vault`)
  })
  const { token } = useToken(cid)
  if (!own.has(audience)) return null
  if (token !== undefined) return <InVault cid={cid} title={t`It’s already in your vault.`} />
  return (
    <div className="flex flex-col gap-3">
      <Failure error={keep.error} />
      <Button
        className="self-start"
        onClick={() => keep.run()}
        busy={keep.pending}
        why={whyFixed(snapshot)}
        disabled={phase !== 'unlocked'}
      >
        {phase === 'unlocked' ? t`Add to your vault` : t`Unlock to add it to your vault`}
      </Button>
    </div>
  )
}
