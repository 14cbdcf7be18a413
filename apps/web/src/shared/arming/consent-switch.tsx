import { Button } from '@base-ui/react/button'
import { useId } from 'react'
import { cx } from '../ui/cx.ts'
import type { Approval } from './use-armed.ts'

interface ConsentSwitchProps {
  /** Absent if none is needed. */
  consent: Approval['consent']
  /** What turning it on says. */
  label: string
}

/** A switch that must be on before anything that spends or sends can be approved. Empty if none is needed. */
export function ConsentSwitch({ consent, label }: ConsentSwitchProps) {
  const id = useId()
  if (consent === undefined) return null
  const { isOn, ...pressed } = consent
  return (
    <div className="flex items-center gap-3">
      <Button
        {...pressed}
        role="switch"
        aria-checked={isOn}
        aria-labelledby={id}
        className="group flex h-11 w-14 shrink-0 items-center rounded-control aria-disabled:cursor-not-allowed aria-disabled:opacity-60"
      >
        <span
          aria-hidden
          className={cx(
            'relative block h-7 w-12 rounded-full border-2 transition-colors forced-colors:border-[ButtonText]',
            isOn ? 'border-ink bg-ink' : 'border-line-strong bg-sunken',
          )}
        >
          <span
            className={cx(
              'absolute top-0.5 size-5 rounded-full transition-[left] motion-reduce:transition-none forced-colors:bg-[ButtonText]',
              isOn ? 'left-[1.375rem] bg-surface' : 'left-0.5 bg-ink-faint',
            )}
          />
        </span>
      </Button>
      <span id={id} className="min-w-0 font-medium text-sm">
        {label}
      </span>
    </div>
  )
}
