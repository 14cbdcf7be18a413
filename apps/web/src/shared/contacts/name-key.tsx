import { type Contact, type ContactKind, cleanContactName } from '@keyhole/vault'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { announce } from '../browser/announce.ts'
import { useAction } from '../hooks/use-action.ts'
import { quotable } from '../text/visible.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { DialogEnd } from '../ui/dialogs/dialog-end.tsx'
import { Choice } from '../ui/fields/choice.tsx'
import { Form } from '../ui/layout/form.tsx'
import { ForeignQuote } from '../ui/text/foreign.tsx'
import { nameWords } from '../words/who.ts'
import { kindOptions } from './kind-words.ts'
import { NameField } from './name-field.tsx'
import { nameProblem } from './name-problem.ts'
import { useContactIndex } from './use-contacts.ts'

interface NameKeyProps {
  open: boolean
  did: string
  /** The name its owner gives themselves: quoted, and accepted only by a click. */
  suggested?: string | undefined
  /** What it probably is. The owner can choose otherwise. Default: a person. */
  kind?: ContactKind | undefined
  /** Where the focus goes once it is named. */
  then?: (() => HTMLElement | null) | undefined
  onClose: () => void
}

/** Names a key: as a new contact, or as another key of an existing one. */
export function NameKey({ open, did, suggested, kind, then, onClose }: NameKeyProps) {
  const { t } = useLingui()
  const isNamed = useRef(false)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={did.startsWith('did:key:') ? t`Name this key` : t`Add a name`}
      leadsTo={() => (isNamed.current ? (then?.() ?? undefined) : undefined)}
      description={<code className="break-all">{did}</code>}
    >
      <NameKeyForm
        did={did}
        suggested={suggested}
        kind={kind}
        onNamed={() => {
          isNamed.current = true
          onClose()
        }}
      />
    </Dialog>
  )
}

interface NameKeyFormProps extends Pick<NameKeyProps, 'did' | 'suggested' | 'kind'> {
  onNamed: () => void
}

function NameKeyForm({ did, suggested, kind: likely = 'person', onNamed }: NameKeyFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { index } = useContactIndex()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<ContactKind>(likely)
  const [strict, setStrict] = useState(false)
  const suggestion = cleanContactName(suggested ?? '')
  const done = (contact: Contact) => {
    announce(t`Saved as ${nameWords(contact.name)}`, undefined, { about: contact.id })
    onNamed()
  }
  const save = useAction(async () => {
    setStrict(true)
    if (nameProblem(index, name) !== undefined) return
    const theirs = suggestion === '' ? {} : { suggestedName: suggestion }
    done(await vault.contacts.save({ name, kind, dids: [did], ...theirs }))
  })
  const add = useAction(async (id: string) => done(await vault.contacts.addDid(id, did)))
  return (
    <Form onSubmit={save.run}>
      {suggestion === '' ? null : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-sunken p-3 text-sm">
          <p className="min-w-0 flex-1 basis-48">
            <Trans>They call themselves:</Trans> <ForeignQuote>{quotable(suggestion)}</ForeignQuote>
          </p>
          <Button size="small" onClick={() => setName(suggestion)}>
            <Trans>Use this name</Trans>
          </Button>
        </div>
      )}
      <NameField
        index={index}
        value={name}
        onValueChange={(next) => {
          save.clear()
          setName(next)
        }}
        strict={strict}
        actions={(other) => (
          <Button size="small" busy={add.pending} onClick={() => add.run(other.id)}>
            <Trans>Add this key to it</Trans>
          </Button>
        )}
      />
      <Choice label={t`Type`} options={kindOptions()} value={kind} onValueChange={setKind} />
      <DialogEnd action={{ pending: save.pending, error: save.error ?? add.error }}>
        <Trans>Save</Trans>
      </DialogEnd>
    </Form>
  )
}
