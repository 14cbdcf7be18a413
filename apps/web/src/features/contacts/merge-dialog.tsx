import type { Contact } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import type { ContactIndex } from '../../shared/contacts/contact-index.ts'
import { ContactOptions } from '../../shared/contacts/contact-options.tsx'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx'
import { DialogEnd } from '../../shared/ui/dialogs/dialog-end.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { nameWords } from '../../shared/words/who.ts'

const NONE: readonly Contact[] = []

interface MergeDialogProps {
  index: ContactIndex
  /** The contact that stays. */
  contact: Contact
  onClose: () => void
}

/** Merges another contact into one: its keys and its note come over, its name goes. */
export function MergeDialog({ index, contact, onClose }: MergeDialogProps) {
  const { t } = useLingui()
  const name = nameWords(contact.name)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Merge into ${name}`}
      description={t`For a contact you have twice. You can undo it.`}
    >
      <MergeForm index={index} contact={contact} onClose={onClose} />
    </Dialog>
  )
}

function MergeForm({ index, contact, onClose }: MergeDialogProps) {
  const { t } = useLingui()
  const vault = useVault()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [strict, setStrict] = useState(false)
  const { id } = contact
  const others = useMemo(() => index.contacts.filter((other) => other.id !== id), [index, id])
  const alike = useMemo(() => index.alike(contact.name, id).contacts, [index, contact.name, id])
  const other = chosen === undefined ? undefined : index.byId.get(chosen)
  const [name, otherName] = [nameWords(contact.name), nameWords(other?.name ?? '')]
  const merge = useAction(async () => {
    setStrict(true)
    if (other === undefined) return
    await vault.contacts.merge(id, [other.id])
    announce(t`Merged into ${name}`, undefined, { about: id, undo: () => vault.contacts.restore(id) })
    onClose()
  })
  const choose = (next: Contact) => {
    setChosen(next.id)
    setTyped(next.name)
  }
  return (
    <Form onSubmit={merge.run}>
      {/* Most merges are of those that look alike. */}
      <ContactOptions
        contacts={others}
        offered={other === undefined ? alike : NONE}
        text={other === undefined ? typed : ''}
        label={t`Contacts`}
        onChoose={choose}
      >
        {(combobox) => (
          <TextField
            {...combobox}
            label={t`Which contact is the duplicate?`}
            hint={t`Its keys and its note move to ${name}.`}
            value={typed}
            onValueChange={(next) => {
              setTyped(next)
              setChosen(undefined)
              merge.clear()
            }}
            error={strict && other === undefined ? t`Choose a contact from the list.` : undefined}
            autoFocus
          />
        )}
      </ContactOptions>
      {other === undefined ? null : (
        <p className="text-sm" role="status">
          <Trans>
            The keys and the note of <bdi className="font-semibold">{otherName}</bdi> go to{' '}
            <bdi className="font-semibold">{name}</bdi>. What you granted stays as it is.
          </Trans>
        </p>
      )}
      <DialogEnd action={merge}>
        <Trans>Merge</Trans>
      </DialogEnd>
    </Form>
  )
}
