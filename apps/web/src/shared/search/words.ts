import { t } from '@lingui/core/macro'
import type { Shown, ShownStatus } from './present.ts'

/** The kind of a result, in one word. */
export function kindWord(kind: Shown['kind']): string {
  switch (kind) {
    case 'grant':
      return t`grant`
    case 'mandate':
      return t`mandate`
    case 'received':
      return t`received`
    case 'signed':
      return t`signed`
    case 'contact':
      return t`contact`
    case 'key':
      return t`key`
    case 'account':
      return t`vault`
    case 'session':
      return t`session`
    case 'payment':
      return t`payment`
    case 'activity':
      return t`activity`
  }
}

/** A token's status, in one word. */
export function statusWord(status: ShownStatus): string {
  switch (status) {
    case 'live':
      return t`active`
    case 'soon':
      return t`expires soon`
    case 'ended':
      return t`expired`
    case 'revoked':
      return t`revoked`
    case 'suspended':
      return t`suspended`
    case 'unclear':
      return t`may be suspended`
  }
}
