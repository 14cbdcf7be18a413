import type { Mandate } from '@keyhole/vault'
import { useLingui } from '@lingui/react/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useMemo, useRef } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { useGrowingCount } from '../../shared/hooks/use-growing-count.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { Highlight } from '../../shared/search/highlight.tsx'
import { matchingFields, present, type Shown } from '../../shared/search/present.ts'
import { kindWord, statusWord } from '../../shared/search/words.ts'
import type { FindQuery } from '../../shared/search-index/query.ts'
import type { FoundItem } from '../../shared/search-index/token-messages.ts'
import { useLook } from '../../shared/search-index/use-answer.ts'
import { useAsked } from '../../shared/tokens/asked.ts'
import { cx } from '../../shared/ui/cx.ts'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { useMandates } from '../../shared/vault/use-sealed-lists.ts'
import { distance } from '../../shared/words/when.ts'
import type { Contacts } from '../../shared/words/who.ts'

/** Results loaded at a time. Two pages cover more than is ever visible; the second loads when half of the first has scrolled by. */
export const STRETCH = 40

interface ResultsProps {
  query: FindQuery
  total: number
  active: number
  onActiveChange: (index: number) => void
  onOpen: (shown: Shown) => void
}

/** The results. Only visible rows are in the document, and the rest stay in the worker. */
export const Results = memo(({ query, total, active, onActiveChange, onOpen }: ResultsProps) => {
  const { t } = useLingui()
  const contacts = useContacts()
  const { mandates } = useMandates()
  const now = useNow()
  const scroller = useRef<HTMLDivElement>(null)
  const growing = useGrowingCount(total)
  const rows = useVirtualizer({
    count: growing.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 76,
    overscan: 4,
  })
  const inSight = rows.getVirtualItems()
  const [first, last] = [inSight[0]?.index ?? 0, inSight.at(-1)?.index ?? 0]
  const stretch = Math.floor(first / STRETCH)
  const here = useStretch(query, stretch)
  const next = useStretch(query, last >= (stretch + 0.5) * STRETCH ? stretch + 1 : undefined)
  growing.see(last)
  const itemAt = (index: number) => {
    const at = index - stretch * STRETCH
    return at < STRETCH ? here[at] : next[at - STRETCH]
  }

  // A row under the pointer is visible already and must not scroll.
  const pointed = useRef<number>(undefined)
  useEffect(() => {
    const isPointedAt = pointed.current === active
    pointed.current = undefined
    if (!isPointedAt) rows.scrollToIndex(active)
  }, [rows, active])
  const point = useCallback(
    (index: number) => {
      pointed.current = index
      onActiveChange(index)
    },
    [onActiveChange],
  )

  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="kh-scroll max-h-[60dvh] overflow-y-auto rounded-control border border-line"
    >
      <div
        id="search-results"
        role="listbox"
        aria-label={t`Matches`}
        tabIndex={-1}
        className="relative"
        style={{ height: `${rows.getTotalSize()}px` }}
      >
        {inSight.map(({ index, start }) => (
          <div
            key={index}
            data-index={index}
            ref={rows.measureElement}
            role="presentation"
            className="contain-content absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            <Result
              item={itemAt(index)}
              words={query.words}
              contacts={contacts}
              mandates={mandates}
              now={now}
              index={index}
              total={total}
              active={index === active}
              onPoint={point}
              onOpen={onOpen}
            />
          </div>
        ))}
      </div>
    </div>
  )
})

/** The id of the option at a position. */
export const optionId = (index: number) => `search-result-${index}`

const NOTHING: readonly FoundItem[] = []

/** A page of the results by its number. Empty until it has loaded, and if none is needed. */
function useStretch(query: FindQuery, stretch: number | undefined): readonly FoundItem[] {
  const { answer, isCurrent } = useLook(
    stretch === undefined ? undefined : { ask: 'find', query, from: stretch * STRETCH, count: STRETCH },
  )
  return (isCurrent && answer?.items) || NOTHING
}

/** The result at a position, in words. Undefined until it has loaded. */
export function useFound(query: FindQuery, index: number): Shown | undefined {
  const items = useStretch(query, Math.floor(index / STRETCH))
  const contacts = useContacts()
  const now = useNow()
  const item = items[index % STRETCH]
  return useMemo(() => item && present(item, { contacts }, now), [item, contacts, now])
}

/** What a status looks like; the same as on a grant's own page. */
const STATUS_TONES = {
  live: 'good',
  soon: 'warn',
  suspended: 'warn',
  unclear: 'plain',
  ended: 'plain',
  revoked: 'plain',
} as const

interface ResultProps {
  /** Undefined until it has loaded. */
  item: FoundItem | undefined
  words: readonly string[]
  contacts: Contacts
  mandates: readonly Mandate[]
  now: number
  index: number
  total: number
  active: boolean
  onPoint: (index: number) => void
  onOpen: (shown: Shown) => void
}

const Result = memo((props: ResultProps) => {
  const { item, words, contacts, mandates, now, index, total, active, onPoint, onOpen } = props
  const asked = useAsked(item?.token)
  const shown = useMemo(
    () => item && present(item, { contacts, mandates, asked }, now),
    [item, contacts, mandates, asked, now],
  )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box above handles the keys; options are never focused
    <div
      id={optionId(index)}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-setsize={total}
      aria-posinset={index + 1}
      aria-busy={shown === undefined}
      onClick={() => shown && onOpen(shown)}
      onMouseMove={({ movementX, movementY }) => {
        // Ignore rows that move under a resting pointer.
        if (!active && (movementX !== 0 || movementY !== 0)) onPoint(index)
      }}
      className={cx(
        'flex min-h-19 cursor-pointer flex-wrap items-start justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-3',
        active && 'bg-sunken outline-2 outline-focus outline-offset-[-2px]',
        index === 0 && 'rounded-t-control',
        index === total - 1 && 'rounded-b-control border-b-0',
      )}
    >
      {shown ? (
        <>
          <div className="min-w-0 flex-1 basis-60">
            <p className={cx('wrap-anywhere text-sm', shown.sentence?.text !== shown.title && 'font-medium')}>
              <Highlight text={shown.title} words={words} sentence={shown.sentence} />
            </p>
            {matchingFields(shown, words).map((field) => (
              <p key={field} className="wrap-anywhere text-ink-soft text-xs">
                <Highlight text={field} words={words} sentence={shown.sentence} />
              </p>
            ))}
          </div>
          <div className="flex flex-wrap items-center gap-1">
            {shown.at === undefined ? null : (
              <span className="mr-1 text-ink-faint text-xs">{distance(shown.at, now)}</span>
            )}
            <Badge>{kindWord(shown.kind)}</Badge>
            {shown.status ? (
              <Badge tone={STATUS_TONES[shown.status]}>{statusWord(shown.status)}</Badge>
            ) : null}
          </div>
        </>
      ) : (
        <div className="h-4 w-2/3 rounded-md bg-sunken" aria-hidden />
      )}
    </div>
  )
})
