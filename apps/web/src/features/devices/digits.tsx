import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'

interface DigitsProps {
  digits: string
  onSame: () => void
  onDiffer: () => void
  /** What else is asked before the answers. */
  children?: ReactNode
}

/** Six digits that a person compares with those on the other device. */
export function Digits({ digits, onSame, onDiffer, children }: DigitsProps) {
  const start = useRef<HTMLDivElement>(null)
  // What had the focus is gone.
  useEffect(() => start.current?.focus(), [])
  const halves = `${digits.slice(0, 3)} ${digits.slice(3)}`
  return (
    <div ref={start} tabIndex={-1} className="flex flex-col items-start gap-4 outline-none">
      <p className="font-semibold">
        <Trans>Does the other device show the same six digits?</Trans>
      </p>
      <p className="self-stretch rounded-control bg-sunken py-6 text-center font-mono text-4xl tracking-widest">
        <span className="sr-only">{[...digits].join(' ')}</span>
        <span aria-hidden>{halves}</span>
      </p>
      <p className="text-ink-soft text-sm">
        <Trans>If they differ, someone may be tampering with the connection. Choose “They differ”.</Trans>
      </p>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" onClick={onSame}>
          <Trans>They are the same</Trans>
        </Button>
        <Button onClick={onDiffer}>
          <Trans>They differ</Trans>
        </Button>
      </div>
    </div>
  )
}
