import { lazy, type ReactNode, Suspense, useState } from 'react'
import { TextButton } from '../ui/buttons/text-button.tsx'
import type { TermName } from './terms.ts'

const Glossary = lazy(() => import('./glossary.tsx').then((m) => ({ default: m.Glossary })))

interface TermProps {
  of: TermName
  /** The question that the glossary answers: "What's a grant?" */
  children: ReactNode
}

/** Opens the glossary at a word. It is loaded once someone asks. */
export function Term({ of, children }: TermProps) {
  // It stays until it has closed, so that the focus comes back.
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <TextButton onClick={() => setOpen(true)}>{children}</TextButton>
      {isOpen === undefined ? null : (
        <Suspense fallback={null}>
          <Glossary of={of} open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
