interface FoldProps {
  title: string
  /** Whether it begins open. */
  open?: boolean
  children: React.ReactNode
}

/** What is not needed at a first look: shown when its title is pressed. */
export function Fold({ title, open, children }: FoldProps) {
  return (
    <details open={open} className="rounded-control border border-line">
      <summary className="cursor-pointer rounded-control px-3 py-2.5 font-medium text-sm hover:bg-sunken">
        {title}
      </summary>
      <div className="border-line border-t p-3">{children}</div>
    </details>
  )
}
