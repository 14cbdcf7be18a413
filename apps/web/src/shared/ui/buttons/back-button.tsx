import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** Leads from the page of one thing to the list of all of them. */
export function BackButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button
      size="small"
      tone="bare"
      className="-ms-3 self-start"
      onClick={onClick}
      icon={<ArrowLeft className="size-4" aria-hidden />}
    >
      {children}
    </Button>
  )
}
