import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ChartNoAxesGantt, Waypoints } from 'lucide-react'
import { lazy, type ReactNode, type RefObject, Suspense, useMemo, useRef, useState } from 'react'
import { useActiveCount } from '../../../shared/tokens/use-suspended.ts'
import { type TokenPage, useTokenPage } from '../../../shared/tokens/use-tokens.ts'
import { Button, buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../../shared/ui/layout/empty-state.tsx'
import type { HomeSearch } from '../timeline/search-params.ts'
import { Timeline } from '../timeline/timeline.tsx'

const Holders = lazy(() => import('./holders.tsx').then((m) => ({ default: m.Holders })))

/** Shown in time at first, and how many more with each press: what comes below stays near. */
const FIRST = 8
const MORE = 50

/** Read for the graph; beyond this it says what is left out. */
export const GRAPH_LIMIT = 500

interface ActiveGrantsProps {
  /** Active grants, as many as are wanted for now. */
  given: TokenPage
  onMore: () => void
  now: number
  search: HomeSearch
  onSearchChange: (search: HomeSearch) => void
}

/** What is active: grants in time, or who holds what from whom. */
export function ActiveGrants({ given, onMore, now, search, onSearchChange }: ActiveGrantsProps) {
  const { t } = useLingui()
  const graph = search.view === 'graph'
  const place = useRef<HTMLFieldSetElement>(null)
  return (
    <Card
      title={t`Active grants`}
      actions={
        <fieldset
          className="flex scant:flex-wrap rounded-control border border-line p-0.5"
          aria-label={t`How it is shown`}
        >
          <View
            chosen={!graph}
            onChoose={() => onSearchChange({ ...search, view: undefined })}
            icon={<ChartNoAxesGantt className="size-4" aria-hidden />}
          >
            <Trans>Timeline</Trans>
          </View>
          <View
            chosen={graph}
            onChoose={() => onSearchChange({ ...search, view: 'graph' })}
            icon={<Waypoints className="size-4" aria-hidden />}
          >
            <Trans>Graph</Trans>
          </View>
        </fieldset>
      }
    >
      <p className="-mt-2 mb-4 text-ink-soft text-sm">
        {graph ? (
          <Trans>Who has grants from you, and who you received grants from.</Trans>
        ) : (
          <Trans>What you let others do, by person, soonest to expire first.</Trans>
        )}
      </p>
      {/* It stays when the last grant goes, so it can take the focus then. */}
      <fieldset ref={place} tabIndex={-1} aria-label={t`Active grants`} className="min-w-0 outline-none">
        {graph ? (
          <Graph now={now} />
        ) : (
          <Live
            given={given}
            onMore={onMore}
            now={now}
            search={search}
            onSearchChange={onSearchChange}
            place={place}
          />
        )}
      </fieldset>
    </Card>
  )
}

interface LiveProps extends ActiveGrantsProps {
  /** Takes the focus when no grant is left. */
  place: RefObject<HTMLElement | null>
}

function Live({ given, onMore, now, search, onSearchChange, place }: LiveProps) {
  const { loading, tokens, total, error } = given
  const [most, setMost] = useState(FIRST)
  const shown = useMemo(() => tokens.slice(0, most), [tokens, most])
  const left = total - shown.length
  const { active, suspended, unclear } = useActiveCount()
  const showMore = () => {
    setMost(most + MORE)
    if (most + MORE > tokens.length && total > tokens.length) onMore()
  }
  if (error) return <Failure error={error} />
  if (loading) return <Skeleton />
  if (tokens.length === 0) return <Nothing />
  return (
    <div className="flex flex-col gap-3">
      <Timeline
        tokens={shown}
        now={now}
        search={search}
        onSearchChange={onSearchChange}
        onEmpty={() => place.current}
      />
      <div className="flex flex-wrap items-center justify-between gap-2 text-ink-soft text-sm" role="status">
        <span>
          {/* They are counted a moment after the first ones are listed. */}
          {active + suspended + unclear > 0 ? (
            <Plural value={active} one="One active grant." other="# active grants." />
          ) : null}{' '}
          {suspended > 0 ? (
            <Plural value={suspended} one="One suspended mandate." other="# suspended mandates." />
          ) : null}
          {unclear > 0 ? (
            <Plural
              value={unclear}
              one="One mandate, active or suspended."
              other="# mandates, active or suspended."
            />
          ) : null}
        </span>
        {left > 0 ? (
          <Button size="small" onClick={showMore}>
            <Plural value={left} one="Show the last one" other="Show more of the # that expire later" />
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function Graph({ now }: { now: number }) {
  const { issuerDid } = useVaultSnapshot()
  const given = useTokenPage({ list: 'given', live: true, limit: GRAPH_LIMIT })
  const received = useTokenPage({ list: 'received', live: true, limit: GRAPH_LIMIT })
  const error = given.error ?? received.error
  if (error) return <Failure error={error} />
  if (given.loading || received.loading) return <Skeleton />
  if (given.total + received.total === 0) return <Nothing />
  const left = given.total + received.total - given.tokens.length - received.tokens.length
  return (
    <div className="flex flex-col gap-3">
      <Suspense fallback={<Skeleton />}>
        <Holders given={given.tokens} received={received.tokens} did={issuerDid} now={now} />
      </Suspense>
      {left > 0 ? (
        <p className="text-ink-soft text-sm">
          <Plural
            value={left}
            one="One grant that expires later isn’t shown."
            other="# grants that expire later aren’t shown."
          />{' '}
          <Link to="/search" className="underline underline-offset-4">
            <Trans>Search has all of them.</Trans>
          </Link>
        </p>
      ) : null}
    </div>
  )
}

function Nothing() {
  const { t } = useLingui()
  return (
    <EmptyState
      title={t`No one holds a grant from you`}
      actions={
        <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass()}>
          <Trans>New grant</Trans>
        </Link>
      }
    >
      <Trans>
        Let a person, app or AI agent do one thing. The grant stays here until it expires or you revoke it.
      </Trans>
    </EmptyState>
  )
}

interface ViewProps {
  chosen: boolean
  onChoose: () => void
  icon: ReactNode
  children: ReactNode
}

function View({ chosen, onChoose, icon, children }: ViewProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className="flex min-h-8 items-center pointer-coarse:min-h-11 gap-1.5 rounded-lg px-2.5 font-medium text-ink-soft text-sm hover:text-ink aria-pressed:bg-ink aria-pressed:text-ink-inverse forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none"
    >
      {icon}
      {children}
    </button>
  )
}
