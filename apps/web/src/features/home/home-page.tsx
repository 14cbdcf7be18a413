import { useVaultSnapshot } from '@keyhole/vault-react'
import { lazy, Suspense } from 'react'
import { isVaultKnown } from '../../shell/known-vault.ts'
import { NotLoaded } from '../account/not-loaded.tsx'
import { Opening } from '../account/opening.tsx'
import type { HomeSearch } from './search.ts'
import { Welcome } from './welcome.tsx'

const Dashboard = lazy(() => import('./dashboard.tsx').then((m) => ({ default: m.Dashboard })))
const RecoveryScreen = lazy(() => import('../recovery/recovery-screen.tsx'))

interface HomePageProps {
  search: HomeSearch
  onSearchChange: (search: HomeSearch) => void
}

/** The first page: what Keyhole is, how your vault stands, or the way back to one that is missing. */
export function HomePage({ search, onSearchChange }: HomePageProps) {
  const { phase, lost } = useVaultSnapshot()
  const missing = lost.length > 0
  switch (phase) {
    case 'uninitialized':
    case 'loading':
      // The same as the page came with: a new visitor need not wait for the engine to read it.
      return isVaultKnown() ? <Opening /> : <Welcome />
    case 'failed':
      return <NotLoaded />
    case 'empty':
      return missing ? (
        <Suspense fallback={<Opening />}>
          <RecoveryScreen />
        </Suspense>
      ) : (
        <Welcome />
      )
    case 'locked':
    case 'unlocked':
      return (
        <Suspense fallback={<Opening />}>
          <Dashboard search={search} onSearchChange={onSearchChange} />
          {missing ? <RecoveryScreen level={2} /> : null}
        </Suspense>
      )
  }
}
