import { useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { lazy, useRef, useState } from 'react'
import { Later } from '../../../features/account/lazy-part.tsx'
import { NotLoaded } from '../../../features/account/not-loaded.tsx'
import { Opening } from '../../../features/account/opening.tsx'
import { UnlockForm } from '../../../features/account/unlock-form.tsx'
import { ReportView } from '../../../features/inspect/report-view.tsx'
import { Websites } from '../../../features/inspect/websites.tsx'
import { HandedOverCard } from '../../../features/received/handed-over-card.tsx'
import { useTextDraft } from '../../../shared/hooks/drafts.ts'
import { tooLong } from '../../../shared/text/too-long.ts'
import { CHECK_DRAFT } from '../../../shared/tokens/check-draft.ts'
import { makeReport } from '../../../shared/tokens/report.ts'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { FileDrop } from '../../../shared/ui/fields/file-drop.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { ScanButton } from '../../../shared/ui/sharing/scan-button.tsx'
import { isOpening } from '../../../shared/vault/is-opening.ts'
import { useVaultCheck } from '../../../shared/vault/use-vault-check.ts'
import { explain } from '../../../shared/words/explain-refusal.ts'
import { REQUEST } from '../../../shared/words/payment-commands.ts'

const AskedPayment = lazy(() => import('./requests-tab.tsx').then((m) => ({ default: m.AskedPayment })))

/** Checks any pasted token, with no key and no account: as a sentence, as a chain, and raw. A request for a payment can be answered here. */
export function CheckTab() {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  const [text, setText] = useTextDraft(CHECK_DRAFT)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const ready = !isOpening(phase) && phase !== 'failed'
  const trimmed = text.trim()
  const isAsked = trimmed !== '' && ready && !tooLong(trimmed)
  const { found, error } = useVaultCheck(isAsked ? ['token', trimmed] : undefined, async (vault) => {
    const { tokens } = await vault.tokens.inspect(trimmed)
    // A request is a call, so it's no grant to check: it's answered.
    if (tokens.some(({ kind, payload }) => kind === 'invocation' && payload.cmd === REQUEST)) return 'request'
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
      {found === 'request' ? (
        <Later>
          <AskedPayment request={trimmed.replace(/\s+/g, '')} onAnother={another} />
        </Later>
      ) : found ? (
        <ReportView report={found} text={trimmed} />
      ) : null}
      <Websites />
    </div>
  )
}
