import type { Contact } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { type Ref, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { announce } from '../browser/announce.ts'
import { AskForDid } from '../contacts/ask-for-did.tsx'
import { ContactName } from '../contacts/contact-name.tsx'
import { ContactOptions } from '../contacts/contact-options.tsx'
import { ContactPicture } from '../contacts/contact-picture.tsx'
import {
  answerIn,
  nameToldBy,
  noteAnswer,
  onAnswer,
  takeAnswer,
  waitingAnswer,
} from '../contacts/did-answer.ts'
import { ToldName } from '../contacts/told-name.tsx'
import { useContactIndex, useContacts } from '../contacts/use-contacts.ts'
import { Term } from '../glossary/term.tsx'
import { useTokenPage } from '../tokens/use-tokens.ts'
import { Button } from '../ui/buttons/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { ScanButton } from '../ui/sharing/scan-button.tsx'
import { recognise } from '../words/recognise.ts'
import { type Contacts, signedWho, who } from '../words/who.ts'

interface AudienceFieldProps {
  field: Ref<HTMLInputElement> | undefined
  value: string
  onValueChange: (value: string) => void
  error: string | undefined
}

/** How many of the audiences before are offered, and among how many grants they are looked for. */
const OFFERED = 4
const LOOKED_AT = 50

const NO_CONTACTS: readonly Contact[] = []

/** Whom this account granted something to before, the latest first. Not itself: an automatic mandate is its own. */
function useAudiences(own: Contacts['own']): string[] {
  const { tokens } = useTokenPage({ list: 'given', limit: LOOKED_AT })
  return useMemo(() => {
    const latest = [...tokens].sort((a, b) => b.createdAt - a.createdAt)
    const dids = latest.flatMap(({ audienceDid }) =>
      audienceDid === undefined || own.has(audienceDid) ? [] : [audienceDid],
    )
    return [...new Set(dids)].slice(0, OFFERED)
  }, [tokens, own])
}

/** Who it is for: a contact by its name, a DID that is pasted or scanned, one that was used before, or one that someone is asked for. */
export function AudienceField({ field, value, onValueChange, error }: AudienceFieldProps) {
  const { t } = useLingui()
  const { index } = useContactIndex()
  const contacts = useContacts()
  const audiences = useAudiences(contacts.own)
  const did = value.trim()
  const isDid = recognise(did).kind === 'did'
  const answer = useSyncExternalStore(onAnswer, waitingAnswer, () => undefined)
  // Only when an answer comes: what is typed afterwards stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller's function is a new one at each render
  useEffect(() => {
    if (answer === undefined) return
    takeAnswer()
    onValueChange(answer.did)
    // The form may be out of sight, or behind a dialog.
    announce(t`Their DID is filled in`, t`It’s under “Who” in the form.`)
  }, [answer])
  const change = (text: string) => {
    const found = answerIn(text)
    if (found) noteAnswer(found)
    onValueChange(found?.did ?? text)
  }
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place} className="flex min-w-0 flex-col gap-2">
      <ContactOptions
        contacts={index?.contacts ?? NO_CONTACTS}
        text={value}
        byKey
        label={t`Contacts`}
        onChoose={(_, chosen) => chosen !== undefined && onValueChange(chosen)}
      >
        {(combobox) => (
          <TextField
            {...combobox}
            {...(field && { ref: field })}
            label={t`Who`}
            hint={
              <>
                <Trans>
                  Type a contact’s name, or paste or scan the DID of a person, app, agent or device.
                </Trans>{' '}
                <Term of="did">
                  <Trans>What’s a DID?</Trans>
                </Term>
              </>
            }
            mono={isDid}
            placeholder="did:key:z6Mk…"
            value={value}
            onValueChange={change}
            error={combobox['aria-expanded'] ? undefined : error}
            className="flex-1"
            aside={<ScanButton what={t`a DID`} onText={(text) => change(recognise(text).value)} />}
          />
        )}
      </ContactOptions>
      {isDid && (contacts.own.has(did) || !contacts.isSealed) ? (
        <div className="flex min-w-0 flex-col gap-1 text-sm" aria-live="polite">
          <p>
            <ContactName did={did} what={t`the DID`} suggested={nameToldBy(did)} tell={signedWho} />
          </p>
          <ToldName did={did} />
        </div>
      ) : null}
      <AskForDid isOffered={did === ''} field={() => place.current?.querySelector('input') ?? undefined} />
      {audiences.length === 0 || did !== '' ? null : (
        <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
          <legend className="float-left pr-2 text-ink-faint text-sm">
            <Trans>Used before:</Trans>
          </legend>
          {audiences.map((each) => (
            <Button
              key={each}
              size="small"
              title={each}
              onClick={() => onValueChange(each)}
              icon={<Picture did={each} />}
            >
              <bdi className="text-xs">{who(each, contacts)}</bdi>
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

function Picture({ did }: { did: string }) {
  const { named } = useContacts()
  const contact = named.get(did)
  return <ContactPicture of={did} name={contact?.name} kind={contact?.kind} className="size-4" />
}
