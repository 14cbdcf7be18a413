import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../../../shared/ui/buttons/button.tsx'

interface SkipStepProps {
  onSkip: () => void
  /** What skipping costs. */
  children: ReactNode
}

/** The way past a step, with what that costs. Home keeps reminding of it. */
export function SkipStep({ onSkip, children }: SkipStepProps) {
  return (
    <div className="flex flex-col items-start gap-2 border-line border-t pt-4">
      <p className="max-w-prose text-ink-soft text-sm">{children}</p>
      <Button size="small" onClick={onSkip}>
        <Trans>Skip for now</Trans>
      </Button>
    </div>
  )
}
