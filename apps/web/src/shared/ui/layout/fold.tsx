import { ChevronRight } from 'lucide-react'

interface FoldProps {
  title: string
  /** Whether it begins open. */
  open?: boolean
  children: React.ReactNode
}

/** What is not needed at a first look: shown when its title is pressed. */
export function Fold({ title, open, children }: FoldProps) {
  return (
    <details open={open} className="border-line border-y [&[open]>summary>svg]:rotate-90">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-sm font-medium text-sm hover:text-ink-soft [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 transition-transform" aria-hidden />
        {title}
      </summary>
      <div className="pt-1 pb-4">{children}</div>
    </details>
  )
}
