import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { setDraft } from '../../shared/hooks/drafts.ts'
import { takeFocus } from '../../shared/hooks/take-focus.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { isRelayOn } from '../../shared/relay/relay-setting.ts'
import { CHECK_DRAFT } from '../../shared/tokens/check-draft.ts'
import { handedOver, onHandedOver, putHandedOverAway } from '../../shared/tokens/handed-over.ts'
import { InVault } from '../../shared/tokens/in-vault.tsx'
import { makeReport, type Report } from '../../shared/tokens/report.ts'
import { GrantSentence } from '../../shared/tokens/stored-sentence.tsx'
import { useRevoked, useToken } from '../../shared/tokens/use-tokens.ts'
import { Button, buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Slow } from '../../shared/ui/feedback/slow.tsx'
import { CheckBox } from '../../shared/ui/fields/check-box.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { useVaultCheck } from '../../shared/vault/use-vault-check.ts'
import { explain } from '../../shared/words/explain-refusal.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

interface HandedOverCardProps {
  /** What unlocks the vault, given what comes after it. */
  unlockForm: (next: () => void) => ReactNode
}

/** A token that a link brought to this page: what it allows, whether it is valid, and what to do with it. Empty if there is none. */
export function HandedOverCard({ unlockForm }: HandedOverCardProps) {
  const { t } = useLingui()
  const handed = useSyncExternalStore(onHandedOver, handedOver, () => undefined)
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (handed) takeFocus(place.current)
  }, [handed])
  if (handed === undefined) return null
  const text = 'text' in handed ? handed.text : undefined
  const secret = 'secret' in handed ? handed.secret : undefined
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <Card
        title={t`You were sent a grant`}
        actions={
          <Button size="small" tone="bare" onClick={putHandedOverAway}>
            <Trans>Close</Trans>
          </Button>
        }
      >
        {/* Below the header: beside a long text, the button wouldn’t fit in the title’s line. */}
        <p className="-mt-3 mb-4 max-w-prose text-ink-soft text-sm">
          <Trans>The grant was in the link you opened. Keyhole read it in this browser.</Trans>
        </p>
        {text === undefined ? (
          <Notice tone="bad" title={t`This link doesn’t carry a valid token.`}>
            {'problem' in handed && handed.problem === 'too-long'
              ? t`It is too long. Ask for the token as a file.`
              : t`It may have been cut off or changed on the way. Ask for the link again.`}
          </Notice>
        ) : (
          <Given key={text} text={text} secret={secret} unlock={unlockForm(() => takeFocus(place.current))} />
        )}
      </Card>
    </div>
  )
}

interface GivenProps {
  text: string
  /** With it, the sender can be told that the link was opened. */
  secret: string | undefined
  /** The form that unlocks the vault. */
  unlock: ReactNode
}

function Given({ text, secret, unlock }: GivenProps) {
  const { t } = useLingui()
  const { found, error } = useVaultCheck(['token', text], async (vault) => {
    const { tokens } = await vault.tokens.inspect(text)
    return makeReport(tokens, await vault.tokens.verify({ token: text }), Date.now())
  })
  if (error !== undefined) {
    const { title, advice } = explain(error)
    return (
      <Notice tone="bad" title={title}>
        {advice}
      </Notice>
    )
  }
  if (!found) {
    return (
      <Slow>
        <Progress label={t`Checking…`} value={null} />
      </Slow>
    )
  }
  return <Checked text={text} secret={secret} report={found} unlock={unlock} />
}

function Checked({ text, secret, report, unlock }: GivenProps & { report: Report }) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { phase } = snapshot
  const why = whyFixed(snapshot)
  const contacts = useContacts()
  const [cid, setCid] = useState<string>()
  const [tells, setTells] = useState(true)
  const [told, setTold] = useState<boolean>()
  const leaf = report.links.at(-1)
  const capability = leaf?.capability
  const isMine = capability !== undefined && contacts.own.has(capability.audience)
  const hasAccount = phase === 'locked' || phase === 'unlocked'
  const cids = useMemo(() => report.links.map((link) => link.cid), [report])
  const isRevoked = useRevoked(cids).length > 0
  const isStored = useToken(leaf?.cid).token !== undefined
  const canAdd = !report.refusal && !isRevoked && cid === undefined && !isStored
  // Only its holder can say so: it takes their signature.
  const canTell = isMine && secret !== undefined && phase === 'unlocked' && isRelayOn()
  const add = useAction(async () => {
    const { issuer, ...stored } = await vault.tokens.receive(text, {})
    setCid(stored.cid)
    announce(t`Added to your vault`)
    if (!canTell || !tells) return
    const { sayOpened } = await import('@keyhole/vault/opened')
    const grant = { cid: stored.cid, issuer, audience: stored.audienceDid }
    setTold(await sayOpened(vault, `${location.origin}/relay`, secret, grant).catch(() => false))
  })
  return (
    <div className="flex flex-col gap-4">
      {leaf && capability ? (
        <GrantSentence
          cid={leaf.cid}
          capability={
            report.effective ? { ...capability, ...report.effective, isEffective: true } : capability
          }
          contacts={contacts}
          className="text-lg"
        />
      ) : null}
      {capability ? (
        <Facts
          facts={[[t`From`, <ContactName key="from" did={capability.issuer} what={t`the issuer’s DID`} />]]}
        />
      ) : null}
      {report.refusal ? (
        <Notice tone="bad" title={report.refusal.title}>
          {report.refusal.advice}
        </Notice>
      ) : cid !== undefined ? (
        <InVault cid={cid} tone="good" title={t`It is in your vault.`} onSeen={putHandedOverAway}>
          {told === undefined
            ? null
            : told
              ? t`The sender can see that you opened it.`
              : t`The sender could not be told.`}
        </InVault>
      ) : isRevoked ? (
        <Notice tone="bad" title={t`Do not rely on it. It was revoked.`} />
      ) : isStored && leaf ? (
        <InVault cid={leaf.cid} title={t`It’s already in your vault.`} onSeen={putHandedOverAway} />
      ) : hasAccount && !isMine ? (
        <Notice>
          <Trans>It is for another key. You can save it and check it, but not use it.</Trans>
        </Notice>
      ) : null}
      {canTell && canAdd ? (
        <CheckBox
          label={t`Tell the sender that you opened it`}
          hint={t`When you add it, an encrypted note with the date goes to this site’s server. Anyone with the link can read it.`}
          checked={tells}
          onCheckedChange={setTells}
        />
      ) : null}
      <Failure error={add.error} />
      {canAdd && phase === 'locked' ? (
        <section aria-label={t`Unlock to add it to your vault`} className="flex flex-col gap-3">
          <h3 className="font-semibold">
            <Trans>Unlock to add it to your vault</Trans>
          </h3>
          {unlock}
        </section>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {!canAdd || phase === 'locked' ? null : phase === 'unlocked' ? (
          <Button tone={isMine ? 'primary' : 'quiet'} onClick={() => add.run()} busy={add.pending} why={why}>
            <Trans>Add to your vault</Trans>
          </Button>
        ) : (
          <Link to="/register" className={buttonClass('primary')}>
            <Trans>Create a vault and add it</Trans>
          </Link>
        )}
        <Button onClick={() => setDraft(CHECK_DRAFT, text)}>
          <Trans>Check</Trans>
        </Button>
      </div>
    </div>
  )
}
