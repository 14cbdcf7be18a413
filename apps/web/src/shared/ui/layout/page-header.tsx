import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  children?: ReactNode
  actions?: ReactNode
}

/** A page's title and the one sentence that says what it is for. */
export function PageHeader({ title, children, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="max-w-prose">
        <h1 className="w-fit font-semibold text-2xl sm:text-3xl short:text-xl">{title}</h1>
        {children ? <p className="mt-2 text-ink-soft">{children}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  )
}
