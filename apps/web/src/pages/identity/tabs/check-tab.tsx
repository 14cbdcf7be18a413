import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { lazy, useRef, useState } from 'react'
import { Later } from '../../../features/account/lazy-part.tsx'
import { NotLoaded } from '../../../features/account/not-loaded.tsx'
import { Opening } from '../../../features/account/opening.tsx'
import { UnlockForm } from '../../../features/account/unlock-form.tsx'
import { Websites } from '../../../features/inspect/websites.tsx'
import { HandedOverCard } from '../../../features/received/handed-over-card.tsx'
import { isAskLink } from '../../../shared/contacts/did-answer.ts'
import { useTextDraft } from '../../../shared/hooks/drafts.ts'
import { BEGIN } from '../../../shared/text/request-in.ts'
import { tooLong } from '../../../shared/text/too-long.ts'
import { callIn } from '../../../shared/tokens/call.ts'
import { CHECK_DRAFT } from '../../../shared/tokens/check-draft.ts'
import { checkCall } from '../../../shared/tokens/checked-call.ts'
import { makeReport } from '../../../shared/tokens/report.ts'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { FileDrop } from '../../../shared/ui/fields/file-drop.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { ScanButton } from '../../../shared/ui/sharing/scan-button.tsx'
import { isOpening } from '../../../shared/vault/is-opening.ts'
import { useVaultCheck } from '../../../shared/vault/use-vault-check.ts'
import { explain } from '../../../shared/words/explain-refusal.ts'
import { REQUEST } from '../../../shared/words/payment-commands.ts'

const requests = () => import('./requests-tab.tsx')
const AskedPayment = lazy(async () => ({ default: (await requests()).AskedPayment }))
const AskedByText = lazy(async () => ({ default: (await requests()).AskedByText }))
const CallView = lazy(async () => ({ default: (await requests()).CallView }))
const ReportView = lazy(async () => ({ default: (await requests()).ReportView }))

/**
 * Checks any pasted token, with no key and no account: as a sentence, as a chain, and raw. Requests of every kind are told here, and those
 * that a person answers lead to where they can.
 */
export function CheckTab() {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  const [text, setText] = useTextDraft(CHECK_DRAFT)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const ready = !isOpening(phase) && phase !== 'failed'
  const trimmed = text.trim()
  const isThere = trimmed !== '' && ready && !tooLong(trimmed)
  const asksByText = isThere && trimmed.includes(BEGIN)
  const asksForDid = isThere && isAskLink(trimmed)
  const isAsked = isThere && !asksByText && !asksForDid
  const { found, error } = useVaultCheck(isAsked ? ['token', trimmed] : undefined, async (vault) => {
    const { tokens } = await vault.tokens.inspect(trimmed)
    const call = callIn(tokens)
    // A payment that is asked for is no grant to check: it's answered.
    if (call?.command === REQUEST) return 'payment'
    if (call) return await checkCall(vault, trimmed, call, tokens, Date.now())
    return makeReport(tokens, await vault.tokens.verify({ token: trimmed }), Date.now())
  })
  const refusal = error === undefined ? undefined : explain(error)

  const change = (next: string) => {
    setProblem(undefined)
    setText(next)
  }
  const another = () => {
    change('')
    field.current?.focus()
  }
  if (isOpening(phase)) return <Opening />
  if (phase === 'failed') return <NotLoaded />
  return (
    <div className="flex flex-col gap-6">
      <HandedOverCard unlockForm={(next) => <UnlockForm onUnlocked={next} />} />
      <Card
        title={t`Paste a token`}
        description={t`Paste any UCAN 1.0 token, in any encoding. It is checked here, offline; it is not stored and goes nowhere.`}
      >
        <div className="flex flex-col gap-4">
          <TextArea
            ref={field}
            label={t`Token`}
            aside={<ScanButton what={t`a token`} onText={change} />}
            mono
            rows={5}
            placeholder={t`Paste a token`}
            value={text}
            onValueChange={change}
            error={problem ?? (refusal && `${refusal.title} ${refusal.advice}`)}
          />
          <FileDrop onText={change} onProblem={setProblem} />
          {isAsked && !found && !refusal ? <Progress label={t`Checking…`} value={null} /> : null}
        </div>
      </Card>
      {asksByText ? (
        <Later>
          <AskedByText key={trimmed} text={trimmed} onAnother={another} />
        </Later>
      ) : asksForDid ? (
        <AskedDid />
      ) : found === 'payment' ? (
        <Later>
          <AskedPayment request={trimmed.replace(/\s+/g, '')} onAnother={another} />
        </Later>
      ) : found && 'call' in found ? (
        <Later>
          <CallView {...found} />
        </Later>
      ) : found ? (
        <Later>
          <ReportView report={found} text={trimmed} />
        </Later>
      ) : null}
      <Websites />
    </div>
  )
}

/** What a link that asks for a DID says. It's the same link for everyone. */
function AskedDid() {
  const { t } = useLingui()
  return (
    <Card title={t`What it asks for`}>
      <div className="flex flex-col items-start gap-4">
        <p className="text-lg">
          <Trans>Someone asks you for your DID and your name.</Trans>
        </p>
        <Link to="/identity" search={{ tab: 'ask' }} className={buttonClass('primary')}>
          <Trans>Answer it</Trans>
        </Link>
      </div>
    </Card>
  )
}
