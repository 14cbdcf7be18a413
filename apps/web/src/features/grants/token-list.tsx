import { useLingui } from '@lingui/react/macro'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ListedToken } from '../common/tokens.ts'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { useNow } from '../common/use-now.ts'
import { TokenItem } from './token-item.tsx'

/** Up to as many are simply in the page: found by its own search, printed, counted by any screen reader. */
const PLAIN = 40

interface TokenListProps {
  /** In the order in which they are shown. */
  tokens: readonly ListedToken[]
  /** How many there are in all; more are asked for as the end of these comes near. Default: these are all. */
  total?: number
  onMore?: (() => void) | undefined
  /** The CID of the token that is open at first: a link's target. */
  opened?: string | undefined
  onNarrow: (stored: ListedToken) => void
  onUse?: ((stored: ListedToken) => void) | undefined
}

/** Stored tokens. Of many only those in sight are in the page. */
export function TokenList(props: TokenListProps) {
  const { tokens, total = tokens.length, onMore, opened, onNarrow, onUse } = props
  const { t } = useLingui()
  const now = useNow()
  const { own } = useAcquaintance()
  const [open, setOpen] = useState(opened)
  const list = useRef<HTMLUListElement>(null)
  const item = (stored: ListedToken): ReactNode => {
    const mine = own.has(stored.audienceDid)
    // What a key grants to itself adds nothing, and a chain through it could be read in two ways.
    const held = mine && stored.issuer !== stored.audienceDid
    return (
      <TokenItem
        stored={stored}
        now={now}
        open={open === stored.cid}
        onToggle={() => setOpen(open === stored.cid ? undefined : stored.cid)}
        onNarrow={held ? () => onNarrow(stored) : undefined}
        onUse={held && onUse ? () => onUse(stored) : undefined}
        onRemoved={() => list.current?.focus()}
      />
    )
  }
  const look = { ref: list, tabIndex: -1, 'aria-label': t`Tokens` } as const
  if (total <= PLAIN) {
    return (
      <ul {...look} className="flex flex-col gap-3 outline-none">
        {tokens.map((stored) => (
          <li key={stored.id}>{item(stored)}</li>
        ))}
      </ul>
    )
  }
  return <ManyTokens tokens={tokens} total={total} onMore={onMore} look={look} item={item} />
}

interface ManyTokensProps extends Pick<TokenListProps, 'tokens' | 'onMore'> {
  total: number
  look: { ref: React.RefObject<HTMLUListElement | null>; tabIndex: number; 'aria-label': string }
  item: (stored: ListedToken) => ReactNode
}

function ManyTokens({ tokens, total, onMore, look, item }: ManyTokensProps) {
  const [top, setTop] = useState(0)
  const { ref } = look
  useLayoutEffect(() => {
    if (ref.current) setTop(ref.current.getBoundingClientRect().top + window.scrollY)
  }, [ref])
  const rows = useWindowVirtualizer({
    count: tokens.length,
    estimateSize: () => 132,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => tokens[index]?.id ?? index,
  })
  const shown = rows.getVirtualItems()
  const near = (shown.at(-1)?.index ?? 0) >= tokens.length - 10
  useEffect(() => {
    if (near && tokens.length < total) onMore?.()
  }, [near, tokens.length, total, onMore])
  return (
    <ul {...look} className="relative outline-none" style={{ height: `${rows.getTotalSize()}px` }}>
      {shown.map((row) => {
        const stored = tokens[row.index]
        if (!stored) return null
        return (
          <li
            key={row.key}
            ref={rows.measureElement}
            data-index={row.index}
            aria-setsize={total}
            aria-posinset={row.index + 1}
            className="absolute inset-x-0 top-0 pb-3"
            style={{ transform: `translateY(${row.start - top}px)` }}
          >
            {item(stored)}
          </li>
        )
      })}
    </ul>
  )
}
