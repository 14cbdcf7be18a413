import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

export type BadgeTone = 'plain' | 'good' | 'warn' | 'bad' | 'brass'

const TONES: Record<BadgeTone, string> = {
  plain: 'bg-sunken text-ink-soft',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  brass: 'bg-brass-soft text-brass',
}

/** A state in a word or two. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-full border border-transparent px-2.5 py-0.5 font-medium text-xs',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}
