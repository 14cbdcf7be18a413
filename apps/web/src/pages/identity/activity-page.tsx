import { Trans, useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { Later } from '../../features/account/lazy-part.tsx'
import type { ActivitySearch } from '../../features/activity/search-params.ts'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'

const ActivityTab = lazy(() => import('./chunk.ts').then((m) => ({ default: m.ActivityTab })))

/** What was done with the vault. */
export function ActivityPage({ search }: { search: ActivitySearch }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Activity`}>
        <Trans>Who did what with this vault, and when.</Trans>
      </PageHeader>
      <Later>
        <ActivityTab search={search} />
      </Later>
    </>
  )
}
