import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { NotLoaded } from '../../features/account/not-loaded.tsx'
import { Opening } from '../../features/account/opening.tsx'
import { ReportView } from '../../features/inspect/report-view.tsx'
import { Websites } from '../../features/inspect/websites.tsx'
import { useTextDraft } from '../../shared/hooks/drafts.ts'
import { tooLong } from '../../shared/text/too-long.ts'
import { CHECK_DRAFT } from '../../shared/tokens/check-draft.ts'
import { makeReport, type Report } from '../../shared/tokens/report.ts'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { FileDrop } from '../../shared/ui/fields/file-drop.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { ScanButton } from '../../shared/ui/sharing/scan-button.tsx'
import { isOpening } from '../../shared/vault/is-opening.ts'
import { explain } from '../../shared/words/refusal.ts'

type Found =
  | { state: 'idle' }
  | { state: 'reading' }
  | { state: 'unreadable'; words: { title: string; advice: string } }
  | { state: 'read'; report: Report; text: string }

/** Checks any pasted token, with no key and no account: as a sentence, as a chain, and raw. */
export function CheckTab() {
  const { t } = useLingui()
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const [text, setText] = useTextDraft(CHECK_DRAFT)
  const [problem, setProblem] = useState<string>()
  const [found, setFound] = useState<Found>({ state: 'idle' })
  const turn = useRef(0)
  const ready = !isOpening(phase) && phase !== 'failed'

  useEffect(() => {
    turn.current += 1
    const mine = turn.current
    const trimmed = text.trim()
    if (trimmed === '' || !ready || tooLong(trimmed)) {
      setFound({ state: 'idle' })
      return
    }
    setFound({ state: 'reading' })
    const look = async (): Promise<Found> => {
      const { tokens } = await vault.inspect(trimmed)
      const result = await vault.verifyToken({ token: trimmed })
      return { state: 'read', report: makeReport(tokens, result, Date.now()), text: trimmed }
    }
    look()
      .catch((error: unknown): Found => ({ state: 'unreadable', words: explain(error) }))
      .then((next) => {
        if (turn.current === mine) setFound(next)
      })
  }, [text, ready, vault])

  const change = (next: string) => {
    setProblem(undefined)
    setText(next)
  }
  if (isOpening(phase)) return <Opening />
  if (phase === 'failed') return <NotLoaded />
  return (
    <div className="flex flex-col gap-6">
      <Card
        title={t`Check a token`}
        description={t`Paste any UCAN 1.0 token, in any encoding. It is checked here, offline; it is not stored and goes nowhere.`}
      >
        <div className="flex flex-col gap-4">
          <TextArea
            label={t`Token`}
            aside={<ScanButton what={t`a token`} onText={change} />}
            mono
            rows={5}
            placeholder={t`Paste a token`}
            value={text}
            onValueChange={change}
            error={
              problem ??
              (found.state === 'unreadable' ? `${found.words.title} ${found.words.advice}` : undefined)
            }
          />
          <FileDrop onText={change} onProblem={setProblem} />
          {found.state === 'reading' ? <Progress label={t`Checking…`} value={null} /> : null}
        </div>
      </Card>
      {found.state === 'read' ? <ReportView report={found.report} text={found.text} /> : null}
      <Websites />
    </div>
  )
}
