import { type ReactNode, Suspense } from 'react'
import { Opening } from './opening.tsx'

/** A part of a page whose script comes when it is opened. */
export function Later({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Opening />}>{children}</Suspense>
}
