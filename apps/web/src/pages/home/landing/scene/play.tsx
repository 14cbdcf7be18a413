import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Check, KeyRound, RotateCcw, X } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { SentenceView } from '../../../../shared/grant-words/sentence-view.tsx'
import { takeFocus } from '../../../../shared/hooks/take-focus.ts'
import { Button, buttonClass } from '../../../../shared/ui/buttons/button.tsx'
import { Segments } from '../../../../shared/ui/fields/segments.tsx'
import { AgentSays, Stage } from './stage.tsx'
import { AGENT, ASKED, capabilityOf, type Draft, type File, type Outcome, OWNER, outcomeOf } from './story.ts'

/** One try of the agent's. */
interface Try {
  readonly id: number
  readonly file: File
  readonly outcome: Outcome
}

/** What it tries by itself once it has the grant: something inside of one folder, and something outside. */
const FIRST: readonly File[] = ['/photos/lisbon/tram.jpg', '/taxes/2025.pdf']

/** Tries that are shown. */
const MOST = 4

interface PlayProps {
  onOpen: (isOpen: boolean) => void
  onAgain: () => void
}

/** The scene from its second beat on. The sentence is the one that every grant is signed by. */
export default function Play({ onOpen, onAgain }: PlayProps) {
  const [draft, setDraft] = useState<Draft>(ASKED)
  const [now] = useState(Date.now)
  const [beat, setBeat] = useState<'narrow' | 'try' | 'revoke'>('narrow')
  const [tries, setTries] = useState<readonly Try[]>([])
  const { folder } = draft
  const tryOut = (files: readonly File[], isRevoked = false) => {
    const from = (tries.at(-1)?.id ?? 0) + 1
    const next = files.map((file, at) => ({
      id: from + at,
      file,
      outcome: outcomeOf(folder, file, isRevoked),
    }))
    setTries([...tries, ...next].slice(-MOST))
  }

  useEffect(() => {
    onOpen(beat === 'try')
    return () => onOpen(false)
  }, [beat, onOpen])

  const sign = () => {
    tryOut(FIRST)
    setBeat('try')
  }
  const revoke = () => {
    tryOut(FIRST.slice(0, 1), true)
    setBeat('revoke')
  }
  const sentence = <Sentence draft={draft} now={now} />
  switch (beat) {
    case 'narrow':
      return (
        <Stage beat="narrow" open={folder}>
          <Step>
            <AgentSays>
              <Trans>OK. Then let me read everything, for 30 days.</Trans>
            </AgentSays>
            <Choices draft={draft} onChange={setDraft} />
            {sentence}
            <Button tone="primary" onClick={sign} icon={<KeyRound className="size-4" aria-hidden />}>
              <Trans>Sign grant</Trans>
            </Button>
          </Step>
        </Stage>
      )
    case 'try':
      return (
        <Stage beat="try" open={folder} onTry={(file) => tryOut([file])}>
          <Step>
            {sentence}
            <Log tries={tries} />
            <p className="text-ink-soft text-sm">
              {folder === '/' ? (
                <Trans>
                  Nothing is refused, because you signed for all of it. Revoke it and give just one folder.
                </Trans>
              ) : (
                <Trans>Choose any file to have the agent try it.</Trans>
              )}
            </p>
            <Button tone="danger" onClick={revoke}>
              <Trans>Revoke</Trans>
            </Button>
          </Step>
        </Stage>
      )
    case 'revoke':
      return (
        <Stage beat="revoke" open={null}>
          <Step>
            <Log tries={tries} />
            <p className="max-w-prose">
              <Trans>
                The grant is gone. You changed no password, and everything else you gave away still works.
              </Trans>
            </p>
            <div className="flex flex-wrap gap-2">
              <Link to="/register" className={buttonClass('primary')}>
                <Trans>Create vault</Trans>
              </Link>
              <Button onClick={onAgain} icon={<RotateCcw className="size-4" aria-hidden />}>
                <Trans>Play it again</Trans>
              </Button>
            </div>
          </Step>
        </Stage>
      )
  }
}

/** What a beat shows. It takes the focus: the button that led here is gone. */
function Step({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => takeFocus(box.current), [])
  return (
    <div
      ref={box}
      tabIndex={-1}
      className="flex w-full flex-col items-start gap-4 rounded-control outline-offset-4"
    >
      {children}
    </div>
  )
}

function Choices({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const { t } = useLingui()
  return (
    <div className="grid w-full gap-4 sm:grid-cols-2">
      <Segments
        label={t`What it can read`}
        value={draft.folder}
        onValueChange={(folder) => onChange({ ...draft, folder })}
        options={[
          { value: '/', label: t`Everything` },
          { value: '/photos/', label: t`Photos` },
          { value: '/photos/lisbon/', label: t`Lisbon` },
        ]}
      />
      <Segments
        label={t`Expires`}
        value={draft.time}
        onValueChange={(time) => onChange({ ...draft, time })}
        options={[
          { value: 'month', label: t`30 days` },
          { value: 'day', label: t`24 hours` },
          { value: 'hour', label: t`1 hour` },
        ]}
      />
    </div>
  )
}

function Sentence({ draft, now }: { draft: Draft; now: number }) {
  const { t } = useLingui()
  const contacts = {
    own: new Set([OWNER]),
    named: new Map([[AGENT, { id: 'agent', name: t`Trip planner`, kind: 'agent', isAlike: false }]]),
    isSealed: false,
  }
  return (
    <div className="w-full border-ink border-l-2 pl-4" aria-live="polite">
      <SentenceView capability={capabilityOf(draft, now)} contacts={contacts} className="text-lg" />
    </div>
  )
}

function Log({ tries }: { tries: readonly Try[] }) {
  const { t } = useLingui()
  return (
    <div role="log" aria-label={t`What the agent tried`} className="w-full">
      <ul className="divide-y divide-line text-sm">
        {tries.map(({ id, file, outcome }) => (
          <li key={id} className="kh-rise flex items-start gap-2.5 py-2.5">
            {outcome === 'Read' ? (
              <Check className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
            ) : (
              <X className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
            )}
            <span className="min-w-0">
              <OutcomeWords file={file} outcome={outcome} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function OutcomeWords({ file, outcome }: Omit<Try, 'id'>) {
  const name = <code className="break-all">{file}</code>
  switch (outcome) {
    case 'Read':
      return <Trans>It reads {name}.</Trans>
    case 'MatchError':
      return <Trans>Refused: {name} is outside the folder.</Trans>
    case 'Revoked':
      return <Trans>Refused: {name}. You revoked the grant.</Trans>
  }
}
