import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ChartNoAxesGantt, Waypoints } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { type TokenPage, useTokenPage } from '../../../shared/tokens/use-tokens.ts'
import { Button, buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../../shared/ui/feedback/progress.tsx'
import { Slow } from '../../../shared/ui/feedback/slow.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../../shared/ui/layout/empty-state.tsx'
import type { HomeSearch } from '../timeline/search.ts'
import { Timeline } from '../timeline/timeline.tsx'

const Holders = lazy(() => import('./holders.tsx').then((m) => ({ default: m.Holders })))

/** Read for the graph; beyond this it says what is left out. */
export const GRAPH_LIMIT = 500

interface ActiveGrantsProps {
  /** Live grants, as many as are wanted for now. */
  given: TokenPage
  onMore: () => void
  now: number
  search: HomeSearch
  onSearchChange: (search: HomeSearch) => void
}

/** What is out there: live grants in time, or who holds what from whom. */
export function ActiveGrants({ given, onMore, now, search, onSearchChange }: ActiveGrantsProps) {
  const { t } = useLingui()
  const graph = search.view === 'graph'
  return (
    <Card
      title={t`Out there`}
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
          <Trans>Who gave you something that still holds, and who holds something of yours.</Trans>
        ) : (
          <Trans>The keys you gave away that still open something, the next to end first.</Trans>
        )}
      </p>
      {graph ? (
        <Graph now={now} />
      ) : (
        <Live given={given} onMore={onMore} now={now} search={search} onSearchChange={onSearchChange} />
      )}
    </Card>
  )
}

function Live({ given, onMore, now, search, onSearchChange }: ActiveGrantsProps) {
  const { loading, tokens, total, error } = given
  const left = total - tokens.length
  if (error) return <Failure error={error} />
  if (loading) return <Reading />
  if (tokens.length === 0) return <Nothing />
  return (
    <div className="flex flex-col gap-3">
      <Timeline tokens={tokens} now={now} search={search} onSearchChange={onSearchChange} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-ink-soft text-sm" role="status">
        <span>
          <Plural value={total} one="One live grant." other="# live grants." />
        </span>
        {left > 0 ? (
          <Button size="small" onClick={onMore}>
            <Plural value={left} one="Show the last one" other="Show more of the # that end later" />
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
  if (given.loading || received.loading) return <Reading />
  if (given.total + received.total === 0) return <Nothing />
  const left = given.total + received.total - given.tokens.length - received.tokens.length
  return (
    <div className="flex flex-col gap-3">
      <Suspense fallback={<Reading />}>
        <Holders given={given.tokens} received={received.tokens} did={issuerDid} now={now} />
      </Suspense>
      {left > 0 ? (
        <p className="text-ink-soft text-sm">
          <Plural
            value={left}
            one="One token that ends later is not drawn."
            other="# tokens that end later are not drawn."
          />{' '}
          <Link to="/search" className="underline underline-offset-4">
            <Trans>Search has all of them.</Trans>
          </Link>
        </p>
      ) : null}
    </div>
  )
}

function Reading() {
  const { t } = useLingui()
  return (
    <Slow>
      <Progress label={t`Reading what is stored…`} value={null} />
    </Slow>
  )
}

function Nothing() {
  const { t } = useLingui()
  return (
    <EmptyState
      title={t`Nobody holds a key of yours`}
      actions={
        <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass()}>
          <Trans>Grant something</Trans>
        </Link>
      }
    >
      <Trans>Grant an app, a device or an agent one thing it may do, and see here until when.</Trans>
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
      className="flex min-h-8 items-center gap-1.5 rounded-lg px-2.5 font-medium text-ink-soft text-sm hover:text-ink aria-pressed:bg-ink aria-pressed:text-ink-inverse forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none"
    >
      {icon}
      {children}
    </button>
  )
}
