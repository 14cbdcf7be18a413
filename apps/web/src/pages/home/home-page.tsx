import { useVaultSnapshot } from '@keyhole/vault-react'
import { lazy, Suspense } from 'react'
import { NotLoaded } from '../../features/account/not-loaded.tsx'
import { Opening } from '../../features/account/opening.tsx'
import { useIsNew } from '../../shared/vault/use-is-new.ts'
import { Welcome } from './landing/welcome.tsx'
import type { HomeSearch } from './timeline/search-params.ts'

const Dashboard = lazy(() => import('./dashboard/dashboard.tsx').then((m) => ({ default: m.Dashboard })))
const RecoveryScreen = lazy(() => import('../../features/account/recovery/recovery-screen.tsx'))

interface HomePageProps {
  search: HomeSearch
  onSearchChange: (search: HomeSearch) => void
}

/** The first page: what Keyhole is, how your vault stands, or the way back to one that is missing. */
export function HomePage({ search, onSearchChange }: HomePageProps) {
  const { phase, lost } = useVaultSnapshot()
  // The same as the page came with: a new visitor need not wait for the engine to read it.
  if (useIsNew()) return <Welcome />
  switch (phase) {
    case 'uninitialized':
    case 'loading':
      return <Opening />
    case 'failed':
      return <NotLoaded />
    case 'empty':
      return (
        <Suspense fallback={<Opening />}>
          <RecoveryScreen />
        </Suspense>
      )
    case 'locked':
    case 'unlocked':
      return (
        <Suspense fallback={<Opening />}>
          <Dashboard search={search} onSearchChange={onSearchChange} />
          {lost.length > 0 ? <RecoveryScreen level={2} /> : null}
        </Suspense>
      )
  }
}
