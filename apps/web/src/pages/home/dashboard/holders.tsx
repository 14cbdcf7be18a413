import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useRef, useState } from 'react'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'
import { KeyholeMark } from '../../../shared/ui/layout/keyhole-mark.tsx'
import { Identicon } from '../../../shared/ui/text/identicon.tsx'
import { type Party, partiesIn } from '../timeline/parties.ts'
import { inDrawnOrder, linePath, lineWidth, ROW, sideOf } from './graph-sides.ts'
import { HeldTokens } from './held-tokens.tsx'
import { PartyList } from './party-list.tsx'

/** Drawn on each side at first; pressing "others" draws that many more. */
const MOST = 12

interface HoldersProps {
  /** Live tokens, the next to end first. */
  received: readonly ListedToken[]
  given: readonly ListedToken[]
  /** The account's own DID, for its picture. */
  did: string | undefined
  now: number
}

/**
 * Who holds what from whom: those who gave to this account, the account, those it gave to. The people are lists, which
 * a keyboard and a screen reader go through as any other; the lines between them are drawn beside.
 */
export function Holders({ received, given, did, now }: HoldersProps) {
  const { t } = useLingui()
  const [most, setMost] = useState({ from: MOST, to: MOST })
  const [chosen, setChosen] = useState<{ side: 'from' | 'to'; id: string }>()
  const details = useRef<HTMLDivElement>(null)
  const detailsId = useId()
  const contacts = useContacts()
  const givers = inDrawnOrder(partiesIn(received, (token) => token.issuer, contacts))
  const holders = inDrawnOrder(partiesIn(given, (token) => token.audienceDid, contacts))
  const from = sideOf(givers, most.from)
  const to = sideOf(holders, most.to)
  const rows = (side: typeof from) => side.shown.length + (side.others.length > 0 ? 1 : 0)
  const height = Math.max(rows(from), rows(to), 2)
  const party = (chosen?.side === 'from' ? givers : holders).find((each) => each.id === chosen?.id)

  useEffect(() => {
    if (chosen) details.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const list = (side: 'from' | 'to') => (
    <PartyList
      label={side === 'from' ? t`Who you received grants from` : t`Who holds something of yours`}
      empty={side === 'from' ? t`You haven’t received any grants yet` : t`No one holds a grant from you`}
      side={side === 'from' ? from : to}
      self={did}
      chosen={chosen?.side === side ? chosen.id : undefined}
      controls={detailsId}
      now={now}
      onChoose={(next) =>
        setChosen(chosen?.side === side && chosen.id === next ? undefined : { side, id: next })
      }
      onMore={() => setMost({ ...most, [side]: most[side] + MOST })}
    />
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)_0.875rem_auto_0.875rem_minmax(0,1fr)] items-center sm:grid-cols-[minmax(0,1fr)_3.5rem_auto_3.5rem_minmax(0,1fr)]">
        {list('from')}
        <Lines sides={[from.shown, from.others]} rows={rows(from)} of={height} />
        <div className="flex w-12 flex-col items-center gap-1 text-center text-sm sm:w-20">
          {did ? <Identicon text={did} className="size-12" /> : <KeyholeMark className="size-12 text-ink" />}
          <span className="font-semibold">
            <Trans>You</Trans>
          </span>
        </div>
        <Lines sides={[to.shown, to.others]} rows={rows(to)} of={height} mirrored />
        {list('to')}
      </div>
      <div id={detailsId} ref={details} aria-live="polite">
        {party ? (
          <HeldTokens party={party} side={chosen?.side ?? 'to'} now={now} />
        ) : (
          <p className="text-ink-faint text-sm">
            <Trans>Choose someone to see their grants.</Trans>
          </p>
        )}
      </div>
    </div>
  )
}

interface LinesProps {
  sides: readonly [shown: readonly Party[], others: readonly Party[]]
  rows: number
  of: number
  /** Drawn from the middle to the right. */
  mirrored?: boolean
}

function Lines({ sides: [shown, others], rows, of, mirrored = false }: LinesProps) {
  const counts = shown.map(({ id, tokens }) => ({ key: id, tokens: tokens.length }))
  if (others.length > 0) counts.push({ key: 'others', tokens: others.length })
  return (
    <svg
      viewBox={`0 0 100 ${of * ROW}`}
      preserveAspectRatio="none"
      height={of * ROW}
      width="100%"
      className="block text-brass-fill"
      aria-hidden="true"
    >
      <g
        fill="none"
        stroke="currentColor"
        strokeLinecap="round"
        transform={mirrored ? 'matrix(-1 0 0 1 100 0)' : undefined}
      >
        {counts.map(({ key, tokens }, row) => (
          <path
            key={key}
            d={linePath(row, rows, of)}
            strokeWidth={lineWidth(tokens)}
            strokeDasharray={key === 'others' ? '2 6' : undefined}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </g>
    </svg>
  )
}
