import { Meter } from '@base-ui/react/meter'
import type { Mandate } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { useNow } from '../../../shared/hooks/use-now.ts'
import { cx } from '../../../shared/ui/cx.ts'
import { leftOf } from './mandate-state.ts'
import { periodWords, spentWords } from './mandate-words.ts'

/** From here on little is left. */
const LITTLE = 0.2

interface BudgetMeterProps {
  mandate: Mandate
  /** It has ended, so there is no more to spend. Default false. */
  over?: boolean
}

/** What was used of a mandate's budget, as a picture and in words, and when all of it is there again. An empty bar: nothing was used. */
export function BudgetMeter({ mandate, over = false }: BudgetMeterProps) {
  const { t } = useLingui()
  const now = useNow()
  const { budget, currency, digits } = mandate
  const left = leftOf(mandate, now)
  const words = spentWords(left, budget, currency, digits)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {words.amount === undefined ? null : (
        <Bar label={t`Money`} words={words.amount} left={left.amount} of={budget.amount} over={over} />
      )}
      {words.payments === undefined ? null : (
        <Bar
          label={t`Payments`}
          words={words.payments}
          left={left.payments}
          of={budget.payments}
          over={over}
        />
      )}
      {over ? null : <p className="text-ink-faint text-xs">{periodWords(budget.period, left.until, now)}</p>}
    </div>
  )
}

interface BarProps {
  label: string
  words: string
  left: number | undefined
  of: number | undefined
  over: boolean
}

function Bar({ label, words, left = 0, of = 1, over }: BarProps) {
  const fill = over ? 'bg-line-strong' : left <= of * LITTLE ? 'bg-warn' : 'bg-ink'
  return (
    <Meter.Root value={of - left} max={of} getAriaValueText={() => words} className="flex flex-col gap-1">
      <div className={cx('flex flex-wrap justify-between gap-x-3 text-sm', over && 'text-ink-faint')}>
        <Meter.Label className="text-ink-faint">{label}</Meter.Label>
        <span aria-hidden="true">{words}</span>
      </div>
      <Meter.Track className="h-2 overflow-hidden rounded-full border border-line-strong bg-sunken">
        <Meter.Indicator className={cx('h-full forced-colors:bg-[Highlight]', fill)} />
      </Meter.Track>
    </Meter.Root>
  )
}
