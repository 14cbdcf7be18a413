import type { ActivityLine } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { formatTag } from '../../shared/language/language.ts'
import { dayOf } from '../../shared/text/day.ts'
import { cx } from '../../shared/ui/cx.ts'
import { ActivityItem } from './activity-item.tsx'

interface ActivityListProps {
  lines: readonly ActivityLine[]
  /** Lines that were changed after they were written. */
  suspect: ReadonlySet<number>
}

/** The lines grouped by day. Only visible ones are in the document, so long logs stay fast. */
export function ActivityList({ lines, suspect }: ActivityListProps) {
  const { t } = useLingui()
  const scroller = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 68,
    overscan: 10,
    getItemKey: (index) => keyOf(lines[index]) ?? index,
  })
  return (
    <section
      ref={scroller}
      aria-label={t`Activity`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[70dvh] overflow-y-auto rounded-control border border-line px-4"
    >
      <ol aria-label={t`Activity`} className="relative" style={{ height: `${rows.getTotalSize()}px` }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index]
          if (!line) return null
          const before = lines[index - 1]
          const begins = before === undefined || dayOf(before.at) !== dayOf(line.at)
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              className={cx('absolute inset-x-0 top-0 border-line', !begins && 'border-t')}
              style={{ transform: `translateY(${start}px)` }}
            >
              {begins ? (
                <h3 className="-mx-4 bg-sunken px-4 py-1.5 font-medium text-ink-soft text-xs">
                  {dayWords(line.at)}
                </h3>
              ) : null}
              <ActivityItem line={line} rewritten={line.device === undefined && suspect.has(line.seq)} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** Lines of other devices, or from a merged backup, can have the same number. */
function keyOf(line: ActivityLine | undefined): string | undefined {
  return line && `${line.seq} ${line.device?.id ?? line.source ?? ''} ${line.at} ${line.act}`
}

function dayWords(at: number): string {
  return new Intl.DateTimeFormat(formatTag(), { dateStyle: 'full' }).format(at)
}
