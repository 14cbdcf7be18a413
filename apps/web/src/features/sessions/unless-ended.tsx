import { useVaultSnapshot } from '@keyhole/vault-react'
import { lazy, type ReactNode, Suspense } from 'react'

const EndedHere = lazy(() => import('./ended-here.tsx'))

/** The page, unless another tab has ended this one's place in an account: then that is said in its place. */
export function UnlessEnded({ children }: { children: ReactNode }) {
  const { ended, accounts } = useVaultSnapshot()
  // It may have been removed since.
  if (ended === undefined || !accounts.some(({ address }) => address === ended)) return children
  return (
    <Suspense fallback={null}>
      <EndedHere address={ended} />
    </Suspense>
  )
}
