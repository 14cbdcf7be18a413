import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { ConsentSwitch } from '../../shared/arming/consent-switch.tsx'
import type { Approval } from '../../shared/arming/use-armed.ts'
import { AskedBy } from '../../shared/asker/asked-by.tsx'
import { slot } from '../../shared/asker/slots.ts'
import type { ReplyAddress } from '../../shared/requests/reply-address.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { ReplyLine } from './reply/reply-line.tsx'

interface AnswersProps {
  /** Absent while nothing can be granted. */
  approval?: Approval
  origin: string | undefined
  /** Where the answer goes, if the request says so. */
  replyTo?: ReplyAddress | undefined
  granting: boolean
  /** Whether the vault is locked, so that nothing can be granted. */
  isLocked: boolean
  /** Whether it is open, so that only the person's own presses are missing. */
  isOpen?: boolean
  /** Why else nothing can be granted. */
  why?: string | undefined
  /** Absent if the asker is no longer listening. */
  onDeclined?: () => void
}

/** The two answers to a request, and who gets them. This isn't a form, so Enter in a field never grants. */
export function Answers({
  approval,
  origin,
  replyTo,
  granting,
  isLocked,
  isOpen = false,
  why,
  onDeclined,
}: AnswersProps) {
  const { t } = useLingui()
  const blocked = isLocked ? t`Unlock the vault to grant it.` : why
  return (
    <div ref={approval?.block} className="flex flex-col gap-3">
      <AskedBy origin={origin} />
      {replyTo === undefined ? null : <ReplyLine to={replyTo} />}
      <ConsentSwitch consent={approval?.consent} label={t`I’ve read this and want to allow it`} />
      <div className="flex flex-wrap gap-3">
        <Button
          tone="primary"
          busy={granting}
          {...(approval?.button ?? { disabled: true, focusableWhenDisabled: true })}
          // Screen readers read it with the button. An id for aria-describedby would let the opener scroll to it. Before React runs, an
          // open vault removes only the text below, not this.
          title={approval && (blocked ?? (isOpen ? approval.button.title : undefined))}
          icon={<KeyRound className="size-4" aria-hidden />}
        >
          <Trans>Grant it</Trans>
        </Button>
        <Button onClick={onDeclined} disabled={granting || onDeclined === undefined}>
          <Trans>Decline</Trans>
        </Button>
      </div>
      {blocked === undefined ? null : (
        <p className="text-ink-soft text-sm" {...slot('blocked')}>
          {blocked}
        </p>
      )}
    </div>
  )
}
