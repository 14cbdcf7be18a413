import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Highlight } from '../../shared/search/highlight.tsx'
import { readQuery } from '../../shared/search-index/query.ts'
import { cx } from '../../shared/ui/cx.ts'
import { Kbd } from '../../shared/ui/text/kbd.tsx'
import type { Entry, Section } from './entry.ts'

interface PaletteListProps {
  sections: readonly Section[]
  query: string
  active: number
  onActiveChange: (index: number) => void
  onOpen: (entry: Entry) => void
}

/** What fits, under headings: a listbox whose options the input above points at. */
export function PaletteList({ sections, query, active, onActiveChange, onOpen }: PaletteListProps) {
  const { t } = useLingui()
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query may put another line at the same place
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, query])
  let index = -1
  return (
    <div
      ref={list}
      id="palette-list"
      role="listbox"
      aria-label={t`Matches`}
      tabIndex={-1}
      className="min-h-0 flex-1 scroll-py-8 overflow-y-auto overscroll-contain p-2 outline-none"
    >
      {sections.map((section) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options isn't a fieldset
        <div key={section.id} role="group" aria-labelledby={`palette-${section.id}`}>
          <p
            id={`palette-${section.id}`}
            role="presentation"
            className="px-3 pt-2 pb-1 font-medium text-ink-faint text-xs"
          >
            {section.heading}
          </p>
          {section.entries.map((entry) => {
            index += 1
            const at = index
            return (
              <Line
                key={entry.id}
                entry={entry}
                query={query}
                at={at}
                active={at === active}
                onMouseMove={() => at !== active && onActiveChange(at)}
                onClick={() => onOpen(entry)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface LineProps {
  entry: Entry
  query: string
  at: number
  active: boolean
  onMouseMove: () => void
  onClick: () => void
}

function Line({ entry, query, at, active, onMouseMove, onClick }: LineProps) {
  const { words } = readQuery(query).query
  const { icon: Icon, title, detail, sentence, kind, keys } = entry
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keys; options are never focused
    <div
      id={`palette-${at}`}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      onMouseMove={onMouseMove}
      onClick={onClick}
      className={cx(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 py-2 text-sm',
        active && 'bg-sunken outline-2 outline-focus outline-offset-[-2px]',
      )}
    >
      <Icon className={cx('size-4.5 shrink-0', active ? 'text-ink' : 'text-ink-faint')} aria-hidden />
      <div className="min-w-0 flex-1">
        {/* A sentence is shown whole: its end may be what limits it. */}
        <p className={cx('wrap-anywhere', sentence?.text !== title && 'font-medium')}>
          <Highlight {...{ text: title, words, sentence }} />
        </p>
        {detail ? (
          <p className="wrap-anywhere text-ink-soft text-xs">
            <Highlight {...{ text: detail, words, sentence }} />
          </p>
        ) : null}
      </div>
      {kind ? <span className="max-w-24 shrink-0 text-right text-ink-faint text-xs">{kind}</span> : null}
      {keys ? (
        <span className="hidden shrink-0 gap-1 sm:flex" aria-hidden>
          {keys.map((key, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice, and none moves
            <Kbd key={at} keys={key} />
          ))}
        </span>
      ) : null}
    </div>
  )
}
