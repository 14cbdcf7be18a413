import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Badge } from '../../components/badge.tsx'
import { cx } from '../../components/cx.ts'
import { matchingFields, type Straw } from './haystack.ts'
import { Highlight } from './highlight.tsx'

const KIND_WORDS: Record<Straw['kind'], string> = {
  grant: 'grant',
  received: 'received',
  key: 'key',
  account: 'account',
}
const STATUS_WORDS = { live: 'live', soon: 'ends soon', ended: 'ended' } as const

interface ResultsProps {
  found: readonly Straw[]
  query: string
  active: number
  onActiveChange: (index: number) => void
  onOpen: (straw: Straw) => void
}

/** What was found; only the rows in sight are in the document. */
export function Results({ found, query, active, onActiveChange, onOpen }: ResultsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 76,
    overscan: 8,
    getItemKey: (index) => found[index]?.id ?? index,
  })

  useEffect(() => rows.scrollToIndex(active), [rows, active])

  return (
    <div ref={scroller} className="max-h-[60dvh] overflow-y-auto rounded-control border border-line">
      <div
        id="search-results"
        role="listbox"
        aria-label="Matches"
        tabIndex={-1}
        className="relative"
        style={{ height: `${rows.getTotalSize()}px` }}
      >
        {rows.getVirtualItems().map((row) => {
          const straw = found[row.index]
          if (!straw) return null
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys; options are never focused
            <div
              key={row.key}
              id={straw.id}
              role="option"
              tabIndex={-1}
              aria-selected={row.index === active}
              aria-setsize={found.length}
              aria-posinset={row.index + 1}
              data-index={row.index}
              ref={rows.measureElement}
              onClick={() => onOpen(straw)}
              onMouseMove={() => row.index !== active && onActiveChange(row.index)}
              className={cx(
                'absolute inset-x-0 top-0 flex cursor-pointer flex-wrap items-start justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-3',
                row.index === active ? 'bg-sunken' : 'bg-surface',
              )}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="wrap-anywhere font-medium text-sm">
                  <Highlight text={straw.title} query={query} />
                </p>
                {matchingFields(straw, query).map((field) => (
                  <p key={field} className="wrap-anywhere text-ink-soft text-xs">
                    <Highlight text={field} query={query} />
                  </p>
                ))}
              </div>
              <div className="flex gap-1">
                <Badge>{KIND_WORDS[straw.kind]}</Badge>
                {straw.status ? (
                  <Badge tone={straw.status === 'live' ? 'good' : straw.status === 'soon' ? 'warn' : 'plain'}>
                    {STATUS_WORDS[straw.status]}
                  </Badge>
                ) : null}
              </div>
            </div>
          )
        })}
      </div>
    </div>
  )
}
