import { Trans, useLingui } from '@lingui/react/macro'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { useGrowingCount } from '../../shared/hooks/use-growing-count.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { storedStanding } from '../../shared/tokens/capability.ts'
import { type ListedToken, type TokenListName, useOff, useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { RemindMe } from './remind-me.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { TokenItem } from './token-item.tsx'

/** Up to as many are simply in the page: found by its own search, printed, counted by any screen reader. */
const PLAIN = 40
/** Tokens asked for at a time: two stretches hold more than any window shows. */
export const STRETCH = 50

export interface TokenListProps {
  list: TokenListName
  /** Only those that still open something. Default false. */
  live?: boolean
  /** The first stretch of the list. */
  tokens: readonly ListedToken[]
  /** How many there are in all. */
  total: number
  /** Whether that isn't known yet, and there are at least as many. Default false. */
  isFirst?: boolean
  onNarrow: (stored: ListedToken) => void
  onUse?: ((stored: ListedToken) => void) | undefined
}

/** Stored tokens. Of many only those in sight are in the page, and only those around them are read. */
export function TokenList(props: TokenListProps) {
  const { list: name, live = false, tokens, total, isFirst = false, onNarrow, onUse } = props
  const { t } = useLingui()
  const now = useNow()
  const { own } = useContacts()
  const list = useRef<HTMLUListElement>(null)
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedToken>>()
  const select = useCallback(
    (stored: ListedToken) =>
      setSelected((before) => {
        const next = new Map(before)
        if (!next.delete(stored.cid)) next.set(stored.cid, stored)
        return next
      }),
    [],
  )
  const cids = useMemo(() => [...(selected?.keys() ?? [])], [selected])
  const off = useOff(cids)
  // Deselects grants that expired, or that another tab revoked with what came from them.
  const chosen = useMemo(
    () =>
      [...(selected?.values() ?? [])].filter(
        (stored) => !off.includes(stored.cid) && storedStanding(stored, now) !== 'ended',
      ),
    [selected, off, now],
  )
  const theList = useCallback(() => list.current, [])
  const item = (stored: ListedToken): ReactNode => {
    const mine = own.has(stored.audienceDid)
    // What a key grants to itself adds nothing, and a chain through it could be read in two ways.
    const held = mine && stored.issuer !== stored.audienceDid
    return (
      <TokenItem
        stored={stored}
        now={now}
        onNarrow={held ? onNarrow : undefined}
        onUse={held ? onUse : undefined}
        leadsTo={live ? theList : undefined}
        isSelected={selected?.has(stored.cid)}
        onSelect={select}
      />
    )
  }
  const look = { ref: list, tabIndex: -1, 'aria-label': t`Tokens` } as const
  return (
    <>
      {name !== 'given' || total === 0 ? null : selected ? (
        <SelectionBar
          selected={chosen}
          onClear={() => setSelected(new Map())}
          onDone={() => setSelected(undefined)}
        />
      ) : (
        <div className="mb-3 flex flex-wrap gap-2">
          {total > 1 ? (
            <Button size="small" onClick={() => setSelected(new Map())}>
              <Trans>Select several</Trans>
            </Button>
          ) : null}
          <RemindMe />
        </div>
      )}
      {total <= PLAIN ? (
        <ul {...look} className="flex flex-col gap-3 outline-none">
          {tokens.map((stored) => (
            <li key={stored.id}>{item(stored)}</li>
          ))}
        </ul>
      ) : (
        <ManyTokens list={name} live={live} total={total} isFirst={isFirst} look={look} item={item} />
      )}
    </>
  )
}

interface ManyTokensProps extends Required<Pick<TokenListProps, 'list' | 'total' | 'isFirst'>> {
  live: boolean
  look: { ref: React.RefObject<HTMLUListElement | null>; tabIndex: number; 'aria-label': string }
  item: (stored: ListedToken) => ReactNode
}

function ManyTokens({ list, live, total, isFirst, look, item }: ManyTokensProps) {
  const [top, setTop] = useState(0)
  const [stretch, setStretch] = useState(0)
  const { ref } = look
  const offset = stretch * STRETCH
  const here = useTokenPage({ list, live, limit: STRETCH, offset, early: true })
  const next = useTokenPage({ list, live, limit: STRETCH, offset: offset + STRETCH })
  const tokenAt = (index: number): ListedToken | undefined => {
    const at = index - offset
    return at < STRETCH ? here.tokens[at] : next.tokens[at - STRETCH]
  }
  useLayoutEffect(() => {
    if (ref.current) setTop(ref.current.getBoundingClientRect().top + window.scrollY)
  }, [ref])
  const growing = useGrowingCount(total)
  const rows = useWindowVirtualizer({
    count: growing.count,
    estimateSize: () => 132,
    overscan: 4,
    scrollMargin: top,
  })
  const shown = rows.getVirtualItems()
  growing.see(shown.at(-1)?.index ?? 0)
  const wanted = Math.floor((shown[0]?.index ?? 0) / STRETCH)
  useEffect(() => setStretch(wanted), [wanted])
  return (
    <ul {...look} className="relative outline-none" style={{ height: `${rows.getTotalSize()}px` }}>
      {shown.map((row) => {
        const stored = tokenAt(row.index)
        return (
          <li
            key={stored?.id ?? row.index}
            ref={rows.measureElement}
            data-index={row.index}
            aria-setsize={isFirst ? -1 : total}
            aria-posinset={row.index + 1}
            aria-busy={stored === undefined}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${row.start - top}px)` }}
          >
            {stored ? item(stored) : <div className="h-30 border-line border-t" />}
          </li>
        )
      })}
    </ul>
  )
}
