import type { StoredToken } from '@keyhole/vault'
import { useState } from 'react'
import { useAcquaintance } from '../common/use-acquaintance.ts'
import { useNow } from '../common/use-now.ts'
import { byNextEnd } from './capability.ts'
import { TokenItem } from './token-item.tsx'

interface TokenListProps {
  tokens: readonly StoredToken[]
  /** The CID of the token that is open at first: a link's target. */
  opened?: string | undefined
  onNarrow: (stored: StoredToken) => void
}

/** Stored tokens, the next to end first. */
export function TokenList({ tokens, opened, onNarrow }: TokenListProps) {
  const now = useNow()
  const { own } = useAcquaintance()
  const [open, setOpen] = useState(opened)
  const sorted = [...tokens].sort(byNextEnd(now))
  return (
    <ul className="flex flex-col gap-3">
      {sorted.map((stored) => {
        // What a key grants to itself adds nothing, and a chain through it could be read in two ways.
        const held = own.has(stored.audienceDid) && stored.issuer !== stored.audienceDid
        return (
          <TokenItem
            key={stored.id}
            stored={stored}
            now={now}
            open={open === stored.cid}
            onToggle={() => setOpen(open === stored.cid ? undefined : stored.cid)}
            onNarrow={held ? () => onNarrow(stored) : undefined}
          />
        )
      })}
    </ul>
  )
}
