import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Gauge, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { CopyButton } from '../../../shared/ui/buttons/copy-button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { engineOptions } from '../engine/engine-options.ts'
import { FiguresTable } from './figures-table.tsx'
import { figuresText } from './figures-text.ts'
import { type Figure, runBenchmark, type Stage } from './run.ts'

type State =
  | { at: 'idle' }
  | { at: 'running'; stage: Stage }
  | { at: 'done'; figures: readonly Figure[] }
  | { at: 'stopped' }
  | { at: 'failed'; error: unknown }

/** Measures how fast this browser is at what Keyhole does. */
export function BenchmarkPanel() {
  const { t, i18n } = useLingui()
  const { config } = useVault()
  const [state, setState] = useState<State>({ at: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = () => {
    const stop = new AbortController()
    running.current = stop
    setState({ at: 'running', stage: { done: 0 } })
    const mine = (next: State) => running.current === stop && setState(next)
    runBenchmark(engineOptions(config), stop.signal, (stage) => mine({ at: 'running', stage })).then(
      (figures) => mine({ at: 'done', figures }),
      (error: unknown) => mine(stop.signal.aborted ? { at: 'stopped' } : { at: 'failed', error }),
    )
  }
  const stop = () => {
    running.current?.abort()
    setState({ at: 'stopped' })
  }
  const under = state.at === 'running' ? state.stage.measure : undefined
  const name = under ? i18n._(under.name) : ''
  return (
    <Card
      title={t`How fast is Keyhole here?`}
      description={t`Compares how fast Keyhole signs, checks and unlocks with the browser’s own crypto. Takes a few seconds. Nothing leaves this page.`}
    >
      <div className="flex flex-col gap-5">
        {state.at === 'running' ? (
          <>
            <Progress
              label={under ? t`Measuring: ${name}` : t`Making tokens to measure with…`}
              value={Math.round(state.stage.done * 100)}
            />
            <Button onClick={stop} icon={<Square className="size-4" aria-hidden />} className="self-start">
              <Trans>Stop</Trans>
            </Button>
          </>
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Button tone="primary" onClick={start} icon={<Gauge className="size-4" aria-hidden />}>
              {state.at === 'idle' ? <Trans>Start measuring</Trans> : <Trans>Measure again</Trans>}
            </Button>
            {state.at === 'done' ? (
              <CopyButton text={figuresText(state.figures)} what={t`the table`} label={t`Copy the table`} />
            ) : null}
          </div>
        )}
        {state.at === 'stopped' ? (
          <Notice title={t`Stopped.`}>
            <Trans>Its workers have ended. Start again whenever you like.</Trans>
          </Notice>
        ) : null}
        {state.at === 'failed' ? <Failure error={state.error} /> : null}
        {state.at === 'done' ? <FiguresTable figures={state.figures} /> : null}
      </div>
    </Card>
  )
}
