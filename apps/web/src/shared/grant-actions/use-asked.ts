import { useState } from 'react'
import type { ListedToken } from '../tokens/use-tokens.ts'

/** A question about grants. */
interface Asked {
  /** The grants asked about. Empty before the first question. */
  readonly asked: readonly ListedToken[]
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
  readonly ask: (grants: readonly ListedToken[]) => void
}

/** Asks about grants. The question keeps its grants even if their list changes while it is open. */
export function useAsked(): Asked {
  const [asked, setAsked] = useState<readonly ListedToken[]>([])
  const [isOpen, setOpen] = useState(false)
  return {
    asked,
    isOpen,
    setOpen,
    ask: (grants) => {
      setAsked(grants)
      setOpen(grants.length > 0)
    },
  }
}
