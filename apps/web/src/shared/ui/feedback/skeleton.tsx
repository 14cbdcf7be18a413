import { useLingui } from '@lingui/react/macro'

/** Widths of the lines, as texts of some length have them. */
const WIDTHS = ['w-3/4', 'w-full', 'w-1/2']

interface SkeletonProps {
  /** What is being read, for people who can't see the lines. Default: what is stored. */
  label?: string
  rows?: number
}

/** The shape of a list that is being read: lines in pairs, where its texts will be. */
export function Skeleton({ label, rows = 3 }: SkeletonProps) {
  const { t } = useLingui()
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">{label ?? t`Reading what is stored…`}</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="py-3" aria-hidden="true">
          <div className={`h-4 rounded-full bg-sunken ${WIDTHS[row % WIDTHS.length]}`} />
          <div className="mt-2 h-3 w-1/3 rounded-full bg-sunken" />
        </div>
      ))}
    </div>
  )
}
