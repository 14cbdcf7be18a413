import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

interface CardProps {
  title?: ReactNode
  description?: ReactNode
  /** Stands at the right end of the title's line. */
  actions?: ReactNode
  className?: string
  /** Heading level of the title, 2 unless the card stands inside another section. */
  level?: 2 | 3
  /** Whether it stands out from the page: for what is one thing by itself, such as what is about to be signed. */
  raised?: boolean
  children?: ReactNode
}

/** A part of a page with a title, ruled off from what is above it: the unit every page is laid out in. */
export function Card({
  title,
  description,
  actions,
  className,
  level = 2,
  raised = false,
  children,
}: CardProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section
      className={cx(
        'min-w-0',
        raised
          ? 'rounded-card border border-line bg-surface p-5 sm:p-6 short:p-3.5 scant:p-3'
          : level === 2
            ? 'border-ink border-t pt-5 short:pt-2.5'
            : 'border-line border-t pt-4',
        className,
      )}
    >
      {title || actions ? (
        <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className={cx('min-w-0 max-w-prose flex-1', description ? 'basis-60' : 'basis-40')}>
            {title ? (
              <Heading
                className={cx(
                  'font-semibold leading-snug',
                  level === 2 ? 'text-xl short:text-lg' : 'text-base',
                )}
              >
                {title}
              </Heading>
            ) : null}
            {description ? <p className="mt-1 text-ink-soft text-sm">{description}</p> : null}
          </div>
          {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  )
}
