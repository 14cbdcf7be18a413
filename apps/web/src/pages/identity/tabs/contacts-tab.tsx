import { useLingui } from '@lingui/react/macro'
import { Gate } from '../../../features/account/gate.tsx'
import { Contacts } from '../../../features/contacts/contacts.tsx'
import type { IdentitySearch } from '../search-params.ts'

interface ContactsTabProps {
  search: IdentitySearch
  /** Puts what is looked at into the address; the tab stays. */
  onSearchChange: (search: Omit<IdentitySearch, 'tab'>) => void
}

/** The people, apps, agents, devices and services that the owner has named. */
export function ContactsTab({ search: { contact }, onSearchChange }: ContactsTabProps) {
  const { t } = useLingui()
  return (
    <Gate need="unlocked" purpose={t`read your contacts`}>
      <Contacts
        contact={contact}
        onContactChange={(id) => onSearchChange(id === undefined ? {} : { contact: id })}
      />
    </Gate>
  )
}
