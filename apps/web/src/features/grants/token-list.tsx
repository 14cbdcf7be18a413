import { useLingui } from '@lingui/react/macro'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { useGrowingCount } from '../../shared/hooks/use-growing-count.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { type ListedToken, type TokenListName, useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { TokenItem } from './token-item.tsx'

/** Up to as many are simply in the page: found by its own search, printed, counted by any screen reader. */
const PLAIN = 40
/** Tokens asked for at a time: two stretches hold more than any window shows. */
export const STRETCH = 50

interface TokenListProps {
  list: TokenListName
  /** Only those that still open something. Default false. */
  live?: boolean
  /** The first stretch of the list. */
  tokens: readonly ListedToken[]
  /** How many there are in all. */
  total: number
  /** Shown before all others: a link's target that is not in the first stretch. */
  first?: ListedToken | undefined
  /** The CID of the token that is open at first: a link's target. */
  opened?: string | undefined
  onNarrow: (stored: ListedToken) => void
  onUse?: ((stored: ListedToken) => void) | undefined
}

/** Stored tokens. Of many only those in sight are in the page, and only those around them are read. */
export function TokenList(props: TokenListProps) {
  const { list: name, live = false, tokens, total, first, opened, onNarrow, onUse } = props
  const { t } = useLingui()
  const now = useNow()
  const { own } = useContacts()
  const [open, setOpen] = useState(opened)
  const list = useRef<HTMLUListElement>(null)
  const toggle = useCallback(({ cid }: ListedToken) => setOpen((now) => (now === cid ? undefined : cid)), [])
  const focusList = useCallback(() => list.current?.focus(), [])
  const item = (stored: ListedToken): ReactNode => {
    const mine = own.has(stored.audienceDid)
    // What a key grants to itself adds nothing, and a chain through it could be read in two ways.
    const held = mine && stored.issuer !== stored.audienceDid
    return (
      <TokenItem
        stored={stored}
        now={now}
        open={open === stored.cid}
        onToggle={toggle}
        onNarrow={held ? onNarrow : undefined}
        onUse={held ? onUse : undefined}
        onRemoved={focusList}
      />
    )
  }
  const look = { ref: list, tabIndex: -1, 'aria-label': t`Tokens` } as const
  if (total <= PLAIN) {
    return (
      <ul {...look} className="flex flex-col gap-3 outline-none">
        {(first ? [first, ...tokens] : tokens).map((stored) => (
          <li key={stored.id}>{item(stored)}</li>
        ))}
      </ul>
    )
  }
  return <ManyTokens list={name} live={live} total={total} first={first} look={look} item={item} />
}

interface ManyTokensProps extends Pick<TokenListProps, 'list' | 'total' | 'first'> {
  live: boolean
  look: { ref: React.RefObject<HTMLUListElement | null>; tabIndex: number; 'aria-label': string }
  item: (stored: ListedToken) => ReactNode
}

function ManyTokens({ list, live, total, first, look, item }: ManyTokensProps) {
  const [top, setTop] = useState(0)
  const [stretch, setStretch] = useState(0)
  const { ref } = look
  const offset = stretch * STRETCH
  const before = first ? 1 : 0
  const here = useTokenPage({ list, live, limit: STRETCH, offset })
  const next = useTokenPage({ list, live, limit: STRETCH, offset: offset + STRETCH })
  const tokenAt = (index: number): ListedToken | undefined => {
    if (first && index === 0) return first
    const at = index - before - offset
    return at < STRETCH ? here.tokens[at] : next.tokens[at - STRETCH]
  }
  useLayoutEffect(() => {
    if (ref.current) setTop(ref.current.getBoundingClientRect().top + window.scrollY)
  }, [ref])
  const growing = useGrowingCount(total + before)
  const rows = useWindowVirtualizer({
    count: growing.count,
    estimateSize: () => 132,
    overscan: 4,
    scrollMargin: top,
  })
  const shown = rows.getVirtualItems()
  growing.see(shown.at(-1)?.index ?? 0)
  const wanted = Math.floor(Math.max(0, (shown[0]?.index ?? 0) - before) / STRETCH)
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
            aria-setsize={total + before}
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
