import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

export type NoticeTone = 'plain' | 'good' | 'warn' | 'bad'

const LOOK = {
  plain: { box: 'border-line-strong', tint: 'text-ink-soft', icon: Info },
  good: { box: 'border-good', tint: 'text-good', icon: CircleCheck },
  warn: { box: 'border-warn', tint: 'text-warn', icon: TriangleAlert },
  bad: { box: 'border-bad bg-bad-soft', tint: 'text-bad', icon: CircleAlert },
} as const

interface NoticeProps {
  tone?: NoticeTone
  title?: ReactNode
  /** Buttons or links that do something about it. */
  actions?: ReactNode
  className?: string
  children?: ReactNode
}

/** Something to know, in words: read out at once when it is an error, politely otherwise. */
export function Notice({ tone = 'plain', title, actions, className, children }: NoticeProps) {
  const { box, tint, icon: Icon } = LOOK[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cx(
        'kh-rise flex items-start gap-3 border-l-2 py-2 pr-3 pl-4 text-sm scant:gap-2 scant:px-3',
        box,
        className,
      )}
    >
      <Icon className={cx('mt-0.5 size-4 shrink-0', tint)} aria-hidden />
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-56 scant:basis-full">
          {title ? <p className={cx('font-semibold', tone !== 'plain' && tint)}>{title}</p> : null}
          {children ? <div className="wrap-anywhere">{children}</div> : null}
        </div>
        {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
      </div>
    </div>
  )
}
