import { useVaultSnapshot } from '@keyhole/vault-react'
import { lazy, type ReactNode, Suspense } from 'react'

const EndedHere = lazy(() => import('./ended-here.tsx'))

/** The page, unless another tab has ended this one: then that is said in its place. */
export function UnlessEnded({ children }: { children: ReactNode }) {
  const { ended } = useVaultSnapshot()
  if (ended === undefined) return children
  return (
    <Suspense fallback={null}>
      <EndedHere address={ended} />
    </Suspense>
  )
}
