import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useState } from 'react'
import { useNow } from '../../../shared/hooks/use-now.ts'
import { useTokenPage } from '../../../shared/tokens/use-tokens.ts'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx'
import { PageHeader } from '../../../shared/ui/layout/page-header.tsx'
import { useMethods } from '../../../shared/unlock-proof/use-methods.ts'
import type { HomeSearch } from '../timeline/search-params.ts'
import { ActiveGrants } from './active-grants.tsx'
import { Attention } from './attention.tsx'
import { LastActivity } from './last-activity.tsx'
import { LockedCard } from './locked-card.tsx'
import { useAttention } from './use-attention.ts'

/** Loaded after what everyone sees: it shows nothing until a gate has reported. */
const UsedLately = lazy(() => import('./used-lately.tsx').then((m) => ({ default: m.UsedLately })))

/** Grants read at first, and with each press of "Show more". */
const PAGE = 50

interface DashboardProps {
  search: HomeSearch
  onSearchChange: (search: HomeSearch) => void
}

/** One column that answers: does anything need me, what is active, what happened last. Locked, it begins with the way to open it. */
export function Dashboard({ search, onSearchChange }: DashboardProps) {
  const { t } = useLingui()
  const { label, phase } = useVaultSnapshot()
  const now = useNow()
  const [limit, setLimit] = useState(PAGE)
  const given = useTokenPage({ list: 'given', live: true, limit })
  const attention = useAttention(given, now)
  const { methods, failed } = useMethods()
  const isFormKnown = phase === 'unlocked' || methods !== undefined || failed !== undefined
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-8">
      <PageHeader
        title={label ?? t`Your vault`}
        actions={
          <>
            <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass('primary')}>
              <Trans>New grant</Trans>
            </Link>
            <Link to="/identity" search={{ tab: 'received' }} className={buttonClass()}>
              <Trans>Add a token</Trans>
            </Link>
          </>
        }
      />
      {/* Drawn anew with each state of the vault, and all at once: what is read does not push down what is read already. */}
      <Fragment key={`${phase} ${isFormKnown}`}>
        {phase === 'locked' && isFormKnown ? <LockedCard /> : null}
        {attention === undefined || !isFormKnown ? (
          <Skeleton rows={6} />
        ) : (
          <>
            <Attention items={attention} />
            <ActiveGrants
              given={given}
              onMore={() => setLimit(limit + PAGE)}
              now={now}
              search={search}
              onSearchChange={onSearchChange}
            />
            <LastActivity known={given.tokens} />
            {/* Below everything else, because it comes late and would push the rest down. */}
            {phase === 'unlocked' ? (
              <Suspense fallback={null}>
                <UsedLately />
              </Suspense>
            ) : null}
          </>
        )}
      </Fragment>
    </div>
  )
}
