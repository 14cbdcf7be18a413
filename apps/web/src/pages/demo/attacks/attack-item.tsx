import { Trans, useLingui } from '@lingui/react/macro'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { milliseconds } from '../engine/milliseconds.ts'
import type { Attack, Outcome } from './attack.ts'

/** The outcome of an attack, and how long it took. */
export interface Result extends Outcome {
  readonly ms: number
}

interface AttackItemProps {
  attack: Attack
  result: Result | undefined
  attempt: () => Promise<void>
}

/** One attack: what it tries and, once tried, what refused it and why it can't work. */
export function AttackItem({ attack, result, attempt }: AttackItemProps) {
  const { t, i18n } = useLingui()
  const trying = useAction(attempt)
  const name = i18n._(attack.name)
  return (
    <li className="flex flex-col gap-3 border-line border-t py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h4 className="font-semibold">{name}</h4>
          <p className="text-ink-soft text-sm">{i18n._(attack.note)}</p>
        </div>
        <Button
          size="small"
          onClick={() => trying.run()}
          busy={trying.pending}
          aria-label={t`Try it: ${name}`}
        >
          <Trans>Try it</Trans>
        </Button>
      </div>
      <Failure error={trying.error} />
      {result ? <Came result={result} why={i18n._(attack.why)} /> : null}
    </li>
  )
}

function Came({ result, why }: { result: Result; why: string }) {
  const { t } = useLingui()
  if (!result.refused) {
    return (
      <Notice tone="bad" title={t`It got through.`}>
        <Trans>The vault went along with it. That must not happen: please report it.</Trans>
      </Notice>
    )
  }
  const { title: words, advice: text } = result.explain()
  const time = milliseconds(result.ms)
  return (
    <Notice tone="good" title={t`Refused: ${words}`}>
      <p>
        <Trans>
          {text} <code>{result.by}</code>, after {time} ms.
        </Trans>
      </p>
      <p className="mt-1">{why}</p>
    </Notice>
  )
}
