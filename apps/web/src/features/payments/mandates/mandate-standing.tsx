import type { Mandate } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { Badge } from '../../../shared/ui/feedback/badge.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { leftOf, type MandateState, mandateState, STATE_TONES } from './mandate-state.ts'
import { stateWords } from './mandate-words.ts'

/** Where a mandate stands, in a few words. */
export function MandateBadge({ mandate, now }: { mandate: Mandate; now: number }) {
  const state = mandateState(mandate, now)
  const { until } = leftOf(mandate, now)
  return <Badge tone={STATE_TONES[state]}>{stateWords(mandate, state, until, now)}</Badge>
}

/** Why nothing is paid under a suspended mandate, and what to do; nothing for any other. */
export function SuspendedNotice({ state }: { state: MandateState }) {
  const { t } = useLingui()
  if (state !== 'suspended') return null
  return (
    <Notice tone="warn" className="basis-full" title={t`No payments until you resume it.`}>
      <Trans>
        If you didn’t suspend it, this vault was restored, and more may have been spent than you see here.
        Check that, then resume or revoke it.
      </Trans>
    </Notice>
  )
}
