import { useLingui } from '@lingui/react/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Badge } from '../../components/badge.tsx'
import { cx } from '../../components/cx.ts'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { useNow } from '../common/use-now.ts'
import { distance } from '../words/when.ts'
import { Highlight } from './highlight.tsx'
import { matchingFields, present, type Shown } from './present.ts'
import type { FindQuery } from './query.ts'
import { useLook } from './use-look.ts'
import { kindWord, statusWord } from './words.ts'

/** Finds asked for at a time. */
export const STRETCH = 40

interface ResultsProps {
  query: FindQuery
  total: number
  active: number
  onActiveChange: (index: number) => void
  onOpen: (shown: Shown) => void
}

/** What was found; only the rows in sight are in the document, and of the rest nothing is on this side of the worker. */
export function Results({ query, total, active, onActiveChange, onOpen }: ResultsProps) {
  const { t } = useLingui()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => 76,
    overscan: 6,
  })

  useEffect(() => rows.scrollToIndex(active), [rows, active])

  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard alone
      tabIndex={0}
      className="max-h-[60dvh] overflow-y-auto rounded-control border border-line"
    >
      <div
        id="search-results"
        role="listbox"
        aria-label={t`Matches`}
        tabIndex={-1}
        className="relative"
        style={{ height: `${rows.getTotalSize()}px` }}
      >
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            data-index={index}
            ref={rows.measureElement}
            role="presentation"
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            <Result
              query={query}
              index={index}
              total={total}
              active={index === active}
              onPoint={() => index !== active && onActiveChange(index)}
              onOpen={onOpen}
            />
          </div>
        ))}
      </div>
    </div>
  )
}

/** The id of the option at a place. */
export const optionId = (index: number) => `search-result-${index}`

/** What was found at a place, in words; undefined until it is there. */
export function useFound(query: FindQuery, index: number): Shown | undefined {
  const from = Math.floor(index / STRETCH) * STRETCH
  const { answer } = useLook({ ask: 'find', query, from, count: STRETCH })
  const acquaintance = useAcquaintance()
  const now = useNow()
  const item = answer?.items[index - from]
  return item && present(item, acquaintance, now)
}

interface ResultProps {
  query: FindQuery
  index: number
  total: number
  active: boolean
  onPoint: () => void
  onOpen: (shown: Shown) => void
}

function Result({ query, index, total, active, onPoint, onOpen }: ResultProps) {
  const shown = useFound(query, index)
  const now = useNow()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys; options are never focused
    <div
      id={optionId(index)}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-setsize={total}
      aria-posinset={index + 1}
      aria-busy={shown === undefined}
      onClick={() => shown && onOpen(shown)}
      onMouseMove={onPoint}
      className={cx(
        'flex min-h-19 cursor-pointer flex-wrap items-start justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-3',
        active ? 'bg-sunken outline-2 outline-brass outline-offset-[-2px]' : 'bg-surface',
      )}
    >
      {shown ? (
        <>
          <div className="min-w-0 flex-1 basis-60">
            <p className="wrap-anywhere font-medium text-sm">
              <Highlight text={shown.title} words={query.words} />
            </p>
            {matchingFields(shown, query.words).map((field) => (
              <p key={field} className="wrap-anywhere text-ink-soft text-xs">
                <Highlight text={field} words={query.words} />
              </p>
            ))}
          </div>
          <div className="flex flex-wrap items-center gap-1">
            {shown.at === undefined ? null : (
              <span className="mr-1 text-ink-faint text-xs">{distance(shown.at, now)}</span>
            )}
            <Badge>{kindWord(shown.kind)}</Badge>
            {shown.status ? (
              <Badge tone={shown.status === 'live' ? 'good' : shown.status === 'soon' ? 'warn' : 'plain'}>
                {statusWord(shown.status)}
              </Badge>
            ) : null}
          </div>
        </>
      ) : (
        <div className="h-4 w-2/3 rounded-md bg-sunken" aria-hidden />
      )}
    </div>
  )
}
