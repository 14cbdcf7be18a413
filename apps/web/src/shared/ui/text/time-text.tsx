import { Tooltip } from '@base-ui/react/tooltip'
import { useId, useState } from 'react'
import { useNow } from '../../hooks/use-now.ts'
import { distance, moment } from '../../words/when.ts'

/** When something was or will be: how far from now, kept up to date; on hover and on focus the date and the time of day. */
export function TimeText({ at }: { at: number }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const now = useNow()
  // The clock goes in steps. What has happened since the last one is over, not ahead.
  const then = at <= Date.now() ? Math.max(now, at) : now
  const known = Number.isFinite(at) && Math.abs(at) <= 8.64e15
  if (!known) return <span>{moment(at)}</span>
  return (
    <Tooltip.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Tooltip.Trigger
        render={
          <time
            dateTime={new Date(at).toISOString()}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what hovering tells must be had by keyboard too
            tabIndex={0}
            aria-describedby={open ? id : undefined}
            className="whitespace-nowrap rounded-sm underline decoration-dotted decoration-line-strong underline-offset-4"
          />
        }
      >
        {distance(at, then)}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={8} className="z-50">
          <Tooltip.Popup
            id={id}
            className="kh-rise rounded-lg bg-ink px-2.5 py-1.5 text-ink-inverse text-xs shadow-pop"
          >
            {moment(at)}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
