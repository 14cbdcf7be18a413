import { t } from '@lingui/core/macro'
import type { Approval } from './use-armed.ts'

/** What a person still has to do before the button takes a press. Undefined if it takes one. */
export function missingWords({ button, consent }: Approval): string | undefined {
  if (!button.disabled) return undefined
  return consent && !consent.isOn && !consent.disabled
    ? t`Turn on the switch first.`
    : t`Look at all of it first. A moment later, this works.`
}
