import { CONTACT_KINDS, type ContactKind } from '@keyhole/vault'
import { t } from '@lingui/core/macro'

/** The kind of a contact, in one word. */
export function kindName(kind: ContactKind): string {
  switch (kind) {
    case 'person':
      return t`Person`
    case 'app':
      return t`App`
    case 'agent':
      return t`Agent`
    case 'device':
      return t`Device`
    case 'service':
      return t`Service`
  }
}

/** The kinds to choose from. */
export function kindOptions(): { value: ContactKind; label: string }[] {
  return CONTACT_KINDS.map((value) => ({ value, label: kindName(value) }))
}
