import { Dialog as Base } from '@base-ui/react/dialog'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { tooLong } from '../../shared/text/too-long.ts'
import { Kbd } from '../../shared/ui/text/kbd.tsx'
import type { Entry } from './entry.ts'
import { PaletteList } from './palette-list.tsx'
import { takeEarlyLetters } from './shortcuts/early-letters.ts'
import type { Shortcut } from './shortcuts/keys.ts'
import type { Shown } from './shown.ts'
import { useSections } from './use-sections.ts'

interface PaletteBoxProps {
  input: RefObject<HTMLInputElement | null>
  perform: (shortcut: Shortcut) => void
  onShow: (shown: Shown) => void
  onRevoke: (cid: string) => void
  /** Something was chosen; whether it leads elsewhere. */
  onDone: (leaves: boolean) => void
}

/** Where one types, and what fits: arrows move, Enter opens, Escape closes. */
export function PaletteBox({ input, perform, onShow, onRevoke, onDone }: PaletteBoxProps) {
  const { t } = useLingui()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const { sections, pending } = useSections(query, { perform, onShow, onRevoke })
  const entries = sections.flatMap((section) => section.entries)
  const chosen = Math.min(active, entries.length - 1)
  // Enter was pressed before the answer was there: it counts for the answer.
  const waiting = useRef(false)

  const open = (entry: Entry | undefined) => {
    if (!entry) return
    waiting.current = false
    onDone(entry.leaves)
    entry.run()
  }
  const answered = useEffectEvent(() => {
    if (waiting.current) open(entries[chosen])
  })
  useEffect(() => {
    if (!pending) answered()
  }, [pending])

  const change = (value: string) => {
    if (tooLong(value)) return
    waiting.current = false
    setQuery(value)
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: (chosen + 1) % entries.length,
      ArrowUp: (chosen - 1 + entries.length) % entries.length,
      PageDown: Math.min(chosen + 6, entries.length - 1),
      PageUp: Math.max(chosen - 6, 0),
    }
    const move = moves[event.key]
    if (move !== undefined && entries.length > 0) {
      event.preventDefault()
      setActive(move)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (pending && sections[0]?.id !== 'first') waiting.current = true
      else open(entries[chosen])
    }
  }
  const count = entries.length
  return (
    <>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search className="size-5 shrink-0 text-ink-faint" aria-hidden />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={t`Find or do something`}
          aria-expanded={count > 0}
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? `palette-${chosen}` : undefined}
          placeholder={t`Page, action, name or token…`}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          value={query}
          onChange={({ target: { value } }) => change(value)}
          onFocus={() => {
            const early = takeEarlyLetters()
            if (early !== '') change(query + early)
          }}
          onKeyDown={onKeyDown}
          className="h-14 min-w-0 flex-1 bg-transparent text-ink outline-none"
        />
        <Base.Close
          aria-label={t`Close`}
          className="grid size-9 shrink-0 place-items-center pointer-coarse:size-11 rounded-lg text-ink-faint hover:bg-sunken hover:text-ink"
        >
          <X className="size-5" aria-hidden />
        </Base.Close>
      </div>
      <p role="status" className="sr-only">
        {pending ? '' : plural(count, { one: '# result', other: '# results', 0: 'No matches' })}
      </p>
      <PaletteList
        sections={sections}
        query={query}
        active={chosen}
        onActiveChange={setActive}
        onOpen={open}
      />
      <p className="hidden items-center gap-x-4 border-line border-t px-4 py-2 text-ink-faint text-xs sm:flex">
        <span>
          <Trans>
            <Kbd keys="up" /> <Kbd keys="down" /> to choose
          </Trans>
        </span>
        <span>
          <Trans>
            <Kbd keys="enter" /> to open
          </Trans>
        </span>
        <span>
          <Trans>
            <Kbd keys="esc" /> to close
          </Trans>
        </span>
      </p>
    </>
  )
}
