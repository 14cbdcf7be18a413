import { Trans, useLingui } from '@lingui/react/macro'
import { useContactBook } from '../../shared/contacts/use-contacts.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { ListProgress } from '../../shared/ui/feedback/list-progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { ContactDetails } from './contact-details.tsx'
import { ContactList } from './contact-list.tsx'

interface ContactsProps {
  /** Id of the contact that is looked at; none: the list. */
  contact: string | undefined
  /** Puts what is looked at into the address. */
  onContactChange: (id: string | undefined) => void
}

/** The contacts of the unlocked account: all of them, or one. */
export function Contacts({ contact: id, onContactChange }: ContactsProps) {
  const { t } = useLingui()
  const { book, failed } = useContactBook()
  if (book === undefined) return failed === undefined ? <ListProgress /> : <Failure error={failed} />
  if (id === undefined) return <ContactList book={book} onOpen={onContactChange} />
  const contact = book.byId.get(id)
  if (contact) {
    return (
      <ContactDetails key={id} book={book} contact={contact} onLeave={() => onContactChange(undefined)} />
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
