import { useVaultSnapshot } from '@keyhole/vault-react'
import { lazy, type ReactNode, Suspense } from 'react'

const EndedHere = lazy(() => import('./ended-here.tsx'))

/** Shows the page, unless another tab has signed this one out. Then it shows that instead. */
export function UnlessEnded({ children }: { children: ReactNode }) {
  const { ended, accounts } = useVaultSnapshot()
  // The account may have been removed since.
  if (ended === undefined || !accounts.some(({ address }) => address === ended)) return children
  return (
    <Suspense fallback={null}>
      <EndedHere address={ended} />
    </Suspense>
  )
}
