import { Trans } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import type { Approval } from '../common/use-armed.ts'
import { AskedBy } from './asked-by.tsx'

interface AnswersProps {
  /** Absent while nothing can be granted. */
  approval?: Approval
  origin: string | undefined
  granting: boolean
  /** Absent while nobody is there to hear it. */
  onDeclined?: () => void
}

/** The two answers to a request, and whom they go to. No key in a field gives the first of them: it is no form. */
export function Answers({ approval, origin, granting, onDeclined }: AnswersProps) {
  return (
    <div ref={approval?.block} className="flex flex-col gap-3">
      <AskedBy origin={origin} />
      <div className="flex flex-wrap gap-3">
        <Button
          tone="primary"
          busy={granting}
          {...(approval?.button ?? { disabled: true, focusableWhenDisabled: true })}
          icon={<KeyRound className="size-4" aria-hidden />}
        >
          <Trans>Grant it</Trans>
        </Button>
        <Button onClick={onDeclined} disabled={granting || onDeclined === undefined}>
          <Trans>Decline</Trans>
        </Button>
      </div>
    </div>
  )
}
