import { Trans, useLingui } from '@lingui/react/macro'
import { Check, CircleAlert } from 'lucide-react'
import { cx } from '../../../shared/ui/cx.ts'

/** One step of making a vault. */
export interface Step {
  readonly words: string
  readonly state: 'done' | 'now' | 'later' | 'unchecked' | 'ahead'
}

/** Which steps are done, and which one this is. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const { t } = useLingui()
  return (
    <ol aria-label={t`Steps`} className="grid grid-cols-2 gap-2 text-sm max-sm:text-xs sm:flex">
      {steps.map(({ words, state }, index) => (
        <li key={words} aria-current={state === 'now' ? 'step' : undefined} className="min-w-0 flex-auto">
          <span
            aria-hidden="true"
            className={cx(
              'mb-1.5 block h-1 rounded-full',
              state === 'done'
                ? 'bg-good'
                : state === 'unchecked'
                  ? 'bg-warn'
                  : state === 'now'
                    ? 'bg-ink forced-colors:bg-[Highlight]'
                    : 'bg-line forced-colors:bg-[GrayText]',
            )}
          />
          <span
            className={cx(
              'flex items-center gap-1.5',
              state === 'now'
                ? 'font-semibold'
                : state === 'done'
                  ? 'text-good'
                  : state === 'unchecked'
                    ? 'text-warn'
                    : 'text-ink-faint',
            )}
          >
            {state === 'done' ? (
              <Check className="size-4 shrink-0" aria-hidden />
            ) : state === 'unchecked' ? (
              <CircleAlert className="size-4 shrink-0" aria-hidden />
            ) : (
              <span aria-hidden="true">{index + 1}</span>
            )}
            <span className="wrap-anywhere min-w-0">{words}</span>
            <span className="sr-only">
              {state === 'done' ? <Trans>(done)</Trans> : null}
              {state === 'later' ? <Trans>(skipped)</Trans> : null}
              {state === 'unchecked' ? <Trans>(not checked)</Trans> : null}
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}
