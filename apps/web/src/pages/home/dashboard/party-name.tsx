import { useVaultSnapshot } from '@keyhole/vault-react'
import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../../shared/contacts/use-contacts.ts'
import { type Contacts, who } from '../../../shared/words/who.ts'

/**
 * Who a party is, by name. What the vault gave itself, such as the mandate to pay automatically, isn't something that “you” hold.
 * @param self the account's own DID
 */
export function partyName(did: string, self: string | undefined, contacts: Contacts): string {
  if (!contacts.own.has(did)) return who(did, contacts)
  return did === self ? t`This vault` : t`Another key of yours`
}

/** A party with its picture. */
export function PartyName(props: Pick<ComponentProps<typeof ContactName>, 'did' | 'what' | 'tell'>) {
  const { issuerDid } = useVaultSnapshot()
  return <ContactName {...props} own={partyName(props.did, issuerDid, useContacts())} />
}
