import type { Contact } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Merge, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import type { ContactIndex } from '../../shared/contacts/contact-index.ts'
import { ContactPicture } from '../../shared/contacts/contact-picture.tsx'
import { kindName } from '../../shared/contacts/kind-words.ts'
import { grantTo } from '../../shared/grant-form/draft.ts'
import { requestForm } from '../../shared/hooks/requested-forms.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { quotable, visible } from '../../shared/text/visible.ts'
import { BackButton } from '../../shared/ui/buttons/back-button.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { ForeignQuote } from '../../shared/ui/text/foreign.tsx'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { nameWords, tailOf } from '../../shared/words/who.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { ContactGrants } from './contact-grants.tsx'
import { ContactKeys } from './contact-keys.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { RevocationsDone } from './revocations-done.tsx'
import { RevokeContact } from './revoke-contact.tsx'

interface ContactDetailsProps {
  index: ContactIndex
  contact: Contact
  /** What it offers, if it is a service. */
  offers?: ReactNode
  /** Removes what it offers. @returns what brings it back */
  forgetOffers?: ((service: Contact) => Promise<() => Promise<void>>) | undefined
  /** Leads back to the list. */
  onLeave: () => void
}

/** One contact: who it is, its keys, and what it holds of this account and gave to it. */
export function ContactDetails({ index, contact, offers, forgetOffers, onLeave }: ContactDetailsProps) {
  const { t } = useLingui()
  const { id, name, kind, dids, note, suggestedName } = contact
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  const done = useRef<HTMLDivElement>(null)
  const [revoked, setRevoked] = useState<readonly string[]>([])
  const suggestion = suggestedName === undefined || suggestedName === name ? undefined : suggestedName
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-6 outline-none">
      <BackButton onClick={onLeave}>
        <Trans>All contacts</Trans>
      </BackButton>
      <Card
        title={
          <span className="flex min-w-0 items-center gap-3">
            <ContactPicture of={dids[0] ?? id} name={name} kind={kind} className="size-10" />
            <bdi className="wrap-anywhere min-w-0">{nameWords(name)}</bdi>
          </span>
        }
        actions={<Acts {...{ index, contact, forgetOffers, onLeave }} />}
      >
        <div className="flex flex-col gap-4">
          <p>
            <Badge>{kindName(kind)}</Badge>
          </p>
          <Alike index={index} contact={contact} />
          {suggestion === undefined ? null : (
            <p className="text-sm">
              <Trans>They call themselves:</Trans> <ForeignQuote>{quotable(suggestion)}</ForeignQuote>
            </p>
          )}
          {note === undefined ? null : (
            <p className="wrap-anywhere whitespace-pre-line text-ink-soft text-sm">{lines(note)}</p>
          )}
          <ContactKeys index={index} contact={contact} />
        </div>
      </Card>
      {offers}
      {revoked.length === 0 ? null : <RevocationsDone ref={done} cids={revoked} />}
      <ContactGrants
        list="given"
        dids={dids}
        title={t`What you granted`}
        none={t`This contact has no grants from you.`}
        actions={
          <RevokeContact
            name={nameWords(name)}
            dids={dids}
            onRevoked={setRevoked}
            leadsTo={() => done.current}
          />
        }
      />
      <ContactGrants
        list="received"
        dids={dids}
        title={t`What you were granted`}
        none={t`This contact hasn’t granted you anything.`}
      />
    </div>
  )
}

/** A note with everything in it to be seen, line by line. */
function lines(note: string): string {
  return note.split(/\r?\n/).map(visible).join('\n')
}

function Alike({ index, contact: { id, name } }: { index: ContactIndex; contact: Contact }) {
  const { t } = useLingui()
  const { contacts, isOurs, isReserved } = index.alike(name, id)
  const [other] = contacts
  if (other === undefined && !isOurs && !isReserved) return null
  const [did] = other?.dids ?? []
  const otherName =
    other === undefined ? '' : `${nameWords(other.name)}${did === undefined ? '' : ` (${tailOf(did)})`}`
  return (
    <Notice tone="warn" title={t`This name is easy to mistake.`}>
      {other === undefined ? (
        <Trans>It looks like a name that Keyhole or you use for something of your own. Rename it.</Trans>
      ) : (
        <Trans>
          It looks like <bdi>{otherName}</bdi>. Rename one, or merge them if they are the same.
        </Trans>
      )}
    </Notice>
  )
}

function Acts({ index, contact, forgetOffers, onLeave }: ContactDetailsProps) {
  const { t } = useLingui()
  const vault = useVault()
  const why = whyFixed(useVaultSnapshot())
  const navigate = useNavigate()
  const [doing, setDoing] = useState<'edit' | 'merge'>()
  const { id, name, kind, dids } = contact
  const [did] = dids
  const remove = useAction(async () => {
    const bringBack = kind === 'service' ? await forgetOffers?.(contact) : undefined
    await vault.contacts.remove(id)
    announce(t`Contact deleted`, t`What you granted stays as it is. Revoke it under Grants.`, {
      about: id,
      undo: async () => {
        await vault.contacts.restore(id)
        await bringBack?.()
      },
    })
    onLeave()
  })
  const grant = () => {
    if (did === undefined) return
    grantTo(did)
    requestForm('grant')
    void navigate({ to: '/identity', search: { tab: 'grants' } })
  }
  return (
    <>
      {did === undefined ? null : (
        <Button
          size="small"
          tone={kind === 'service' ? 'quiet' : 'primary'}
          onClick={grant}
          icon={<Plus className="size-4" aria-hidden />}
        >
          <Trans>New grant</Trans>
        </Button>
      )}
      <Button
        size="small"
        why={why}
        onClick={() => setDoing('edit')}
        icon={<Pencil className="size-4" aria-hidden />}
      >
        <Trans>Edit…</Trans>
      </Button>
      {index.contacts.length > 1 ? (
        <Button
          size="small"
          why={why}
          onClick={() => setDoing('merge')}
          icon={<Merge className="size-4" aria-hidden />}
        >
          <Trans>Merge…</Trans>
        </Button>
      ) : null}
      <Button
        size="small"
        tone="bare"
        why={why}
        busy={remove.pending}
        onClick={() => remove.run()}
        aria-label={t`Delete ${nameWords(name)}`}
        icon={<Trash2 className="size-4" aria-hidden />}
      >
        <Trans>Delete</Trans>
      </Button>
      <Failure error={remove.error} />
      {doing === 'edit' ? (
        <ContactDialog
          contact={contact}
          onClose={() => setDoing(undefined)}
          onSaved={() => setDoing(undefined)}
        />
      ) : null}
      {doing === 'merge' ? (
        <MergeDialog index={index} contact={contact} onClose={() => setDoing(undefined)} />
      ) : null}
    </>
  )
}
