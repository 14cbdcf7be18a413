import { Trans } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { Button } from '../../components/button.tsx'

interface AnswersProps {
  /** Whether it can be granted at this moment. */
  armed: boolean
  granting: boolean
  /** Absent while nobody is there to hear it. */
  onDeclined?: () => void
}

/** The two answers to a request; the first of them submits its form. */
export function Answers({ armed, granting, onDeclined }: AnswersProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        tone="primary"
        type="submit"
        busy={granting}
        disabled={!armed}
        focusableWhenDisabled
        icon={<KeyRound className="size-4" aria-hidden />}
      >
        <Trans>Grant it</Trans>
      </Button>
      <Button onClick={onDeclined} disabled={granting || onDeclined === undefined}>
        <Trans>Decline</Trans>
      </Button>
    </div>
  )
}
