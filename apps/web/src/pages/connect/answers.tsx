import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { ConsentSwitch } from '../../shared/arming/consent-switch.tsx'
import type { Approval } from '../../shared/arming/use-armed.ts'
import { AskedBy } from '../../shared/asker/asked-by.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'

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
  const { t } = useLingui()
  return (
    <div ref={approval?.block} className="flex flex-col gap-3">
      <AskedBy origin={origin} />
      <ConsentSwitch
        consent={approval?.consent}
        label={t`I have read it, and mean to let them spend or send`}
      />
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
