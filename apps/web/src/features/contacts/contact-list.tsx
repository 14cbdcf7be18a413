import type { Contact } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { UserPlus } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import type { ContactIndex } from '../../shared/contacts/contact-index.ts'
import { ContactPicture } from '../../shared/contacts/contact-picture.tsx'
import { byName, findContacts } from '../../shared/contacts/find-contacts.ts'
import { kindName } from '../../shared/contacts/kind-words.ts'
import { Term } from '../../shared/glossary/term.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { nameWords, tailOf } from '../../shared/words/who.ts'
import { ContactDialog } from './contact-dialog.tsx'

/** Shown at a time. */
const STRETCH = 50
/** As many are seen at one glance: no field to find one of them. */
const FEW = 8

interface ContactListProps {
  index: ContactIndex
  onOpen: (id: string) => void
  /** Adds a service that introduces itself. */
  addService?: ReactNode
}

/** Every contact by its name, with a field to find one, and the way to add one. */
export function ContactList({ index, onOpen, addService }: ContactListProps) {
  const { t } = useLingui()
  const why = whyFixed(useVaultSnapshot())
  const [text, setText] = useState('')
  const [shown, setShown] = useState(STRETCH)
  const [isAdding, setAdding] = useState(false)
  // Typing stays at once, however many there are.
  const asked = useDeferredValue(text)
  const sorted = useMemo(() => byName(index.contacts), [index])
  const found = useMemo(() => findContacts(sorted, asked), [sorted, asked])
  const total = index.contacts.length
  const add = (
    <Button
      size="small"
      tone="primary"
      why={why}
      onClick={() => setAdding(true)}
      icon={<UserPlus className="size-4" aria-hidden />}
    >
      <Trans>Add a contact</Trans>
    </Button>
  )
  return (
    <Card
      title={t`Contacts`}
      description={
        <>
          <Trans>
            People, apps, agents, devices and services, by the names you give them. Only you see these names.
          </Trans>{' '}
          <Term of="contact">
            <Trans>What’s a contact?</Trans>
          </Term>
        </>
      }
      actions={
        total === 0 ? null : (
          <>
            {addService}
            {add}
          </>
        )
      }
    >
      {total === 0 ? (
        <EmptyState
          title={t`No contacts yet`}
          actions={
            <>
              {add}
              {addService}
            </>
          }
        >
          <Trans>
            Name a key wherever you see “Name this key”, or add a contact here. Its name is then shown
            everywhere.
          </Trans>
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-4">
          {total > FEW ? (
            <TextField
              label={t`Find a contact`}
              placeholder={t`Name, note or DID`}
              value={text}
              onValueChange={(next) => {
                setText(next)
                setShown(STRETCH)
              }}
            />
          ) : null}
          <p role="status" className="text-ink-faint text-sm">
            {found.length === total ? (
              <Plural value={total} one="# contact" other="# contacts" />
            ) : (
              <Plural value={found.length} one="# contact found" other="# contacts found" />
            )}
          </p>
          <ul aria-label={t`Contacts`} className="divide-y divide-line">
            {found.slice(0, shown).map((contact) => (
              <li key={contact.id}>
                <Row contact={contact} isAlike={isAlike(index, contact)} onOpen={onOpen} />
              </li>
            ))}
          </ul>
          {found.length > shown ? (
            <Button size="small" className="self-start" onClick={() => setShown(shown + STRETCH)}>
              <Trans>Show more</Trans>
            </Button>
          ) : null}
        </div>
      )}
      {isAdding ? (
        <ContactDialog
          onClose={() => setAdding(false)}
          onSaved={({ id }) => {
            setAdding(false)
            onOpen(id)
          }}
        />
      ) : null}
    </Card>
  )
}

function isAlike(index: ContactIndex, { id, name }: Contact): boolean {
  const { contacts, isOurs, isReserved } = index.alike(name, id)
  return contacts.length > 0 || isOurs || isReserved
}

interface RowProps {
  contact: Contact
  /** Whether the name can be taken for another one: then the end of a key stands beside it. */
  isAlike: boolean
  onOpen: (id: string) => void
}

function Row({ contact: { id, name, kind, dids }, isAlike, onOpen }: RowProps) {
  const [did] = dids
  return (
    <button
      type="button"
      onClick={() => onOpen(id)}
      className="flex min-h-14 w-full min-w-0 items-center gap-3 rounded-lg px-2 py-2 text-left hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <ContactPicture of={did ?? id} name={name} kind={kind} className="size-8" />
      <span className="min-w-0 flex-1">
        <bdi className="wrap-anywhere font-medium">{nameWords(name)}</bdi>
        {isAlike && did !== undefined ? <span className="text-ink-soft"> ({tailOf(did)})</span> : null}
        <span className="block text-ink-faint text-sm">
          {kindName(kind)} · <Plural value={dids.length} _0="no key" one="# key" other="# keys" />
        </span>
      </span>
    </button>
  )
}
