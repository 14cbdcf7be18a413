import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from '../../shared/ui/layout/error-boundary.tsx'

/** A part that is fetched after the page, and without which the page can be answered. */
export function Later({ children }: { children: ReactNode }) {
  const failed = (
    <p className="text-bad text-sm">
      <Trans>This part of the page could not be loaded.</Trans>
    </p>
  )
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  )
}
