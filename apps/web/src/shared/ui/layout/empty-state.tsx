import type { ReactNode } from 'react'
import { KeyholeMark } from './keyhole-mark.tsx'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  actions?: ReactNode
}

/** Nothing here yet: says why, and what to do first. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <KeyholeMark className="size-10 text-line-strong" />
      <p className="text-balance font-semibold">{title}</p>
      {children ? <div className="max-w-prose text-balance text-ink-soft text-sm">{children}</div> : null}
      {actions ? <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  )
}
