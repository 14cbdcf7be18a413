import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { Gate } from '../../../features/account/gate.tsx'
import { Later } from '../../../features/account/lazy-part.tsx'
import { Contacts } from '../../../features/contacts/contacts.tsx'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import type { IdentitySearch } from '../search-params.ts'

const services = () => import('../../../features/services/chunk.ts')
const Introduction = lazy(async () => ({ default: (await services()).Introduction }))
const ServiceOffers = lazy(async () => ({ default: (await services()).ServiceOffers }))

interface ContactsTabProps {
  search: IdentitySearch
  /** Puts what is looked at into the address; the tab stays. */
  onSearchChange: (search: Omit<IdentitySearch, 'tab'>) => void
}

/** The people, apps, agents, devices and services that the owner has named, and services that introduce themselves by a link. */
export function ContactsTab({ search: { contact }, onSearchChange }: ContactsTabProps) {
  const { t } = useLingui()
  const vault = useVault()
  const hash = useLocation({ select: (location) => location.hash })
  const [isAdding, setAdding] = useState(false)
  const introduction = hash.startsWith('keyhole-service-') ? hash : undefined
  // What is after the # of the address goes with the next place.
  const goTo = (id?: string) => {
    setAdding(false)
    onSearchChange(id === undefined ? {} : { contact: id })
  }
  return (
    <Gate need="unlocked" purpose={t`read your contacts`}>
      {introduction !== undefined || isAdding ? (
        <Later>
          <Introduction key={introduction} text={introduction} onSaved={goTo} onLeave={goTo} />
        </Later>
      ) : (
        <Contacts
          contact={contact}
          onContactChange={goTo}
          addService={
            <Button size="small" onClick={() => setAdding(true)}>
              <Trans>Add a service</Trans>
            </Button>
          }
          forgetOffers={async ({ dids }) => (await services()).forgetOffers(vault, dids)}
          offers={(service) => (
            <Later>
              <ServiceOffers key={service.id} contact={service} />
            </Later>
          )}
        />
      )}
    </Gate>
  )
}
