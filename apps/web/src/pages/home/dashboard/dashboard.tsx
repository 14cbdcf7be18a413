import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNow } from '../../../shared/hooks/use-now.ts'
import { useTokenCounts, useTokenPage } from '../../../shared/tokens/use-tokens.ts'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { PageHeader } from '../../../shared/ui/layout/page-header.tsx'
import type { HomeSearch } from '../timeline/search.ts'
import { ActiveGrants } from './active-grants.tsx'
import { Attention } from './attention.tsx'
import { LastActivity } from './last-activity.tsx'
import { NextActions } from './next-actions.tsx'
import { YouCard } from './you-card.tsx'

/** Grants read at first, and with each press of "Show more". */
const PAGE = 50

interface DashboardProps {
  search: HomeSearch
  onSearchChange: (search: HomeSearch) => void
}

/** How the vault stands: who you are, what is out there, what needs attention, what was done last, what to do next. */
export function Dashboard({ search, onSearchChange }: DashboardProps) {
  const { t } = useLingui()
  const { label } = useVaultSnapshot()
  const now = useNow()
  const [limit, setLimit] = useState(PAGE)
  const given = useTokenPage({ list: 'given', live: true, limit })
  const { soon } = useTokenCounts()
  return (
    <>
      <PageHeader
        title={label ?? t`Your vault`}
        actions={
          <>
            <Link to="/identity" search={{ tab: 'grants' }} className={buttonClass('primary')}>
              <Trans>New grant</Trans>
            </Link>
            <Link to="/identity" search={{ tab: 'received' }} className={buttonClass()}>
              <Trans>Take in a token</Trans>
            </Link>
          </>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <YouCard />
          <Attention live={given.tokens} soon={soon} now={now} />
          <NextActions />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <ActiveGrants
            given={given}
            onMore={() => setLimit(limit + PAGE)}
            now={now}
            search={search}
            onSearchChange={onSearchChange}
          />
          <LastActivity known={given.tokens} />
        </div>
      </div>
    </>
  )
}
