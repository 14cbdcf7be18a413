import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from '../../shared/ui/layout/error-boundary.tsx'

/** A part that loads after the page. The request can be answered without it. */
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
