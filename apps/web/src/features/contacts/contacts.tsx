import type { Contact } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useContactIndex } from '../../shared/contacts/use-contacts.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { ContactDetails } from './contact-details.tsx'
import { ContactList } from './contact-list.tsx'

interface ContactsProps {
  /** Id of the contact that is looked at; none: the list. */
  contact: string | undefined
  /** Puts what is looked at into the address. */
  onContactChange: (id: string | undefined) => void
  /** Adds a service that introduces itself. */
  addService?: ReactNode
  /** What a contact that is a service offers. */
  offers?: (service: Contact) => ReactNode
  /** Removes what it offers. @returns what brings it back */
  forgetOffers?: (service: Contact) => Promise<() => Promise<void>>
}

/** The contacts of the unlocked account: all of them, or one. */
export function Contacts({ contact: id, onContactChange, addService, offers, forgetOffers }: ContactsProps) {
  const { t } = useLingui()
  const { index, failed } = useContactIndex()
  if (index === undefined) return failed === undefined ? <Skeleton /> : <Failure error={failed} />
  if (id === undefined) return <ContactList index={index} onOpen={onContactChange} addService={addService} />
  const contact = index.byId.get(id)
  if (contact) {
    return (
      <ContactDetails
        key={id}
        index={index}
        contact={contact}
        offers={contact.kind === 'service' ? offers?.(contact) : undefined}
        forgetOffers={forgetOffers}
        onLeave={() => onContactChange(undefined)}
      />
    )
  }
  return (
    <Card>
      <EmptyState
        title={t`This contact is gone`}
        actions={
          <Button onClick={() => onContactChange(undefined)}>
            <Trans>All contacts</Trans>
          </Button>
        }
      >
        <Trans>It was deleted or merged into another one.</Trans>
      </EmptyState>
    </Card>
  )
}
