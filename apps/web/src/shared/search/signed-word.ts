import { t } from '@lingui/core/macro'
import type { FoundToken } from '../search-index/token-messages.ts'

/** What was signed, in one word, where it is no grant. */
export function signedWord(type: FoundToken['type']): string {
  switch (type) {
    case 'invocation':
      return t`request`
    case 'revocation':
      return t`revocation`
    case 'receipt':
      return t`receipt`
    default:
      return type
  }
}
