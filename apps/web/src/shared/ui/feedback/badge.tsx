import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

/** `plain` says something, or that it is over; `good` that it is active or fine; `warn` that it takes care soon; `bad` that it failed. */
export type BadgeTone = 'plain' | 'good' | 'warn' | 'bad'

const TONES: Record<BadgeTone, string> = {
  plain: 'border-line bg-sunken text-ink-soft',
  good: 'border-line-strong/60 text-ink',
  warn: 'border-transparent bg-warn-soft text-warn',
  bad: 'border-transparent bg-bad-soft text-bad',
}

/** A state in a word or two. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-full border px-2.5 py-0.5 font-medium text-xs',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}
