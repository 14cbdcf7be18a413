import { Progress as Base } from '@base-ui/react/progress'

interface ProgressProps {
  /** What is being done. */
  label: string
  /** From 0 to 100; null while there is nothing to count. */
  value: number | null
}

/** Work under way, in words and as a bar. */
export function Progress({ label, value }: ProgressProps) {
  return (
    <Base.Root value={value} aria-label={label} className="kh-rise flex flex-col gap-2">
      <div className="flex justify-between gap-3 text-ink-soft text-sm">
        <Base.Label>{label}</Base.Label>
        {value === null ? null : <Base.Value />}
      </div>
      <Base.Track className="relative h-1.5 overflow-hidden rounded-full border border-transparent bg-sunken forced-colors:border-current">
        <Base.Indicator
          className={
            value === null
              ? 'kh-slide absolute inset-y-0 left-0 w-1/3 bg-ink forced-colors:bg-[Highlight]'
              : 'h-full bg-ink transition-all forced-colors:bg-[Highlight]'
          }
        />
      </Base.Track>
    </Base.Root>
  )
}
