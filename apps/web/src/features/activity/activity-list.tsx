import type { ActivityLine } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { formatTag } from '../../shared/language/language.ts'
import { dayOf } from '../../shared/text/day.ts'
import { useTokenNames } from '../../shared/tokens/use-tokens.ts'
import { cx } from '../../shared/ui/cx.ts'
import { ActivityItem } from './activity-item.tsx'
import { tokensIn } from './identifiers.ts'

interface ActivityListProps {
  lines: readonly ActivityLine[]
  /** Lines that were changed after they were written. */
  suspect: ReadonlySet<number>
}

/** For how many lines at a time names are asked for. */
const PAGE = 50

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
  const items = rows.getVirtualItems()
  // Whole pages, with one before and one after, so that scrolling asks seldom and early.
  const from = Math.floor((items[0]?.index ?? 0) / PAGE) * PAGE - PAGE
  const to = Math.ceil(((items.at(-1)?.index ?? 0) + 1) / PAGE) * PAGE + PAGE
  const cids = useMemo(
    () => [...new Set(lines.slice(Math.max(0, from), to).flatMap(tokensIn))],
    [lines, from, to],
  )
  const names = useTokenNames(cids)
  return (
    <section
      ref={scroller}
      aria-label={t`Activity`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="kh-scroll max-h-[70dvh] overflow-y-auto rounded-control border border-line px-4"
    >
      <ol aria-label={t`Activity`} className="relative" style={{ height: `${rows.getTotalSize()}px` }}>
        {items.map(({ index, key, start }) => {
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
              <ActivityItem
                line={line}
                rewritten={line.device === undefined && suspect.has(line.seq)}
                names={names}
              />
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
