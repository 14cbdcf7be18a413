import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { CircleCheck, CircleX } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { DidText } from '../../components/did-text.tsx'
import { Facts } from '../../components/facts.tsx'
import { Notice } from '../../components/notice.tsx'
import { announce } from '../../components/toast.tsx'
import { Failure } from '../common/failure.tsx'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { useAction } from '../common/use-action.ts'
import { exactJson } from '../policy/json.ts'
import { commandWords } from '../words/command.ts'
import { limitWords } from '../words/delegation.ts'
import { Sentence } from '../words/sentence.tsx'
import { moment } from '../words/when.ts'
import { shorten } from '../words/who.ts'
import type { Effective, Link, Report } from './report.ts'

/** What was found about a token: the verdict, what it allows, each link of its chain, and the payloads. */
export function ReportView({ report, text }: { report: Report; text: string }) {
  const acquaintance = useAcquaintance()
  const leaf = report.links.at(-1)
  return (
    <>
      <Card title="What it says">
        <div className="flex flex-col gap-4">
          {report.refusal ? (
            <Notice tone="bad" title={`Do not rely on it. ${report.refusal.title}`}>
              {report.refusal.advice}
            </Notice>
          ) : (
            <Notice tone="good" title="It holds.">
              {report.links.length === 1
                ? 'Its signature and its time fit, and it comes from its subject.'
                : `All ${report.links.length} links fit: signatures, times, commands, and who handed it to whom.`}
            </Notice>
          )}
          {leaf?.capability ? (
            <Sentence capability={leaf.capability} acquaintance={acquaintance} className="text-lg" />
          ) : null}
          {report.effective ? (
            <EffectiveFacts effective={report.effective} links={report.links.length} />
          ) : null}
          {report.holds && leaf?.capability ? <Keep text={text} audience={leaf.capability.audience} /> : null}
        </div>
      </Card>
      <Card title="The chain" description="From whoever owns it down to whoever holds it now.">
        <ol className="flex flex-col gap-4">
          {report.links.map((link, index) => (
            <LinkItem key={link.cid} link={link} position={index} count={report.links.length} />
          ))}
        </ol>
      </Card>
    </>
  )
}

function EffectiveFacts({ effective, links }: { effective: Effective; links: number }) {
  const limits = limitWords(effective.command, effective.policy)
  return (
    <Facts
      facts={[
        ['What it allows', commandWords(effective.command)],
        [
          links > 1 ? 'Limits along the chain' : 'Limits',
          limits.length === 0 ? (
            'none'
          ) : (
            <ul key="limits" className="list-inside list-disc">
              {limits.map((limit, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a policy is an ordered list that may say a thing twice
                <li key={index}>{limit}</li>
              ))}
            </ul>
          ),
        ],
        effective.notBefore === undefined ? undefined : ['From', moment(effective.notBefore)],
        ['Until', effective.expiresAt === undefined ? 'without end' : moment(effective.expiresAt)],
      ]}
    />
  )
}

function LinkItem({ link, position, count }: { link: Link; position: number; count: number }) {
  const acquaintance = useAcquaintance()
  const Icon = link.fault ? CircleX : CircleCheck
  const place =
    count === 1
      ? 'The token'
      : position === 0
        ? 'Root'
        : position === count - 1
          ? 'Leaf'
          : `Link ${position + 1}`
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3">
      <div className="flex flex-col items-center">
        <Icon className={link.fault ? 'size-6 text-bad' : 'size-6 text-good'} aria-hidden />
        {position < count - 1 ? (
          <span className="mt-1 w-px flex-1 bg-line-strong" aria-hidden="true" />
        ) : null}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-semibold">{place}</h3>
          <Badge>{link.algorithm}</Badge>
          {link.fault ? <Badge tone="bad">refused</Badge> : <Badge tone="good">signature fits</Badge>}
        </div>
        {link.fault ? <p className="text-bad">{link.fault}</p> : null}
        {link.capability ? (
          <Sentence capability={link.capability} acquaintance={acquaintance} className="text-ink-soft" />
        ) : (
          <p className="text-ink-soft">
            This is a token of kind “{link.kind}”; Keyhole checks delegations here.
          </p>
        )}
        <DidText text={link.cid} what="the CID" shown={shorten(link.cid, 8, 8)} />
        <details>
          <summary className="w-fit cursor-pointer rounded-md text-ink-soft text-sm hover:text-ink">
            Raw payload
          </summary>
          <div className="mt-2">
            <CodeBlock label="payload" text={exactJson(link.payload)} tall />
          </div>
        </details>
      </div>
    </li>
  )
}

/** Offers to keep a token that was made out to one of the account's own keys. */
function Keep({ text, audience }: { text: string; audience: string }) {
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const { own } = useAcquaintance()
  const keep = useAction(async () => {
    await vault.receive(text, {})
    announce('Token stored', 'It is among the ones you received.')
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
        {phase === 'unlocked' ? 'It is for you: keep it' : 'It is for you: unlock to keep it'}
      </Button>
    </div>
  )
}
