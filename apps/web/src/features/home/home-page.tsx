import { useVaultSnapshot } from '@keyhole/vault-react'
import { NotLoaded, Opening } from '../account/gate.tsx'
import { Dashboard } from './dashboard.tsx'
import { Welcome } from './welcome.tsx'

/** The first page: what Keyhole is, or how your vault stands. */
export function HomePage() {
  const { phase } = useVaultSnapshot()
  switch (phase) {
    case 'loading':
      return <Opening />
    case 'failed':
      return <NotLoaded />
    case 'empty':
      return <Welcome />
    case 'locked':
    case 'unlocked':
      return <Dashboard />
  }
}
