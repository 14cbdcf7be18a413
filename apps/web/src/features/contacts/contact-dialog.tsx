import type { Contact, ContactKind } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { kindOptions } from '../../shared/contacts/kind-words.ts'
import { NameField } from '../../shared/contacts/name-field.tsx'
import { nameProblem } from '../../shared/contacts/name-problem.ts'
import { useContactIndex } from '../../shared/contacts/use-contacts.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx'
import { DialogEnd } from '../../shared/ui/dialogs/dialog-end.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { nameWords } from '../../shared/words/who.ts'
import { DidField } from './did-field.tsx'
import { didTaken } from './did-taken.ts'

interface ContactDialogProps {
  /** The contact that is changed; none: a new one. */
  contact?: Contact
  onClose: () => void
  onSaved: (contact: Contact) => void
}

/** A new contact, or another name, kind or note for one. */
export function ContactDialog({ contact, onClose, onSaved }: ContactDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={contact ? t`Edit contact` : t`Add a contact`}
    >
      <ContactForm {...(contact && { contact })} onSaved={onSaved} />
    </Dialog>
  )
}

function ContactForm({ contact, onSaved }: Omit<ContactDialogProps, 'onClose'>) {
  const { t } = useLingui()
  const vault = useVault()
  const { index } = useContactIndex()
  const [name, setName] = useState(contact?.name ?? '')
  const [kind, setKind] = useState<ContactKind>(contact?.kind ?? 'person')
  const [note, setNote] = useState(contact?.note ?? '')
  const [did, setDid] = useState('')
  const [strict, setStrict] = useState(false)
  // Without a key it is a contact all the same: that can come later.
  const wrongDid = did.trim() === '' ? undefined : didTaken(index, did)
  const save = useAction(async () => {
    setStrict(true)
    if (nameProblem(index, name, contact?.id) !== undefined || wrongDid !== undefined) return
    const dids = did.trim() === '' ? [] : [did.trim()]
    const saved = await vault.contacts.save({
      ...(contact ? { id: contact.id } : { dids }),
      ...{ name, kind, note },
    })
    announce(t`Saved as ${nameWords(saved.name)}`, undefined, { about: saved.id })
    onSaved(saved)
  })
  return (
    <Form onSubmit={save.run}>
      <NameField
        index={index}
        value={name}
        onValueChange={(next) => {
          save.clear()
          setName(next)
        }}
        strict={strict}
        {...(contact && { id: contact.id })}
      />
      <Choice label={t`Type`} options={kindOptions()} value={kind} onValueChange={setKind} />
      {contact ? null : (
        <DidField
          hint={t`Ask them for it, or scan it. You can also add it later.`}
          value={did}
          onValueChange={setDid}
          error={wrongDid}
        />
      )}
      <TextArea
        label={t`Note`}
        hint={t`Only you can see it.`}
        rows={2}
        value={note}
        onValueChange={setNote}
      />
      <DialogEnd action={save}>
        <Trans>Save</Trans>
      </DialogEnd>
    </Form>
  )
}
