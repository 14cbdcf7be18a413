import type { ContactKind } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useRef, useState } from 'react'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import { TextButton } from '../ui/buttons/text-button.tsx'
import { who } from '../words/who.ts'
import { ContactPicture } from './contact-picture.tsx'
import { useContacts } from './use-contacts.ts'

const NameKey = lazy(() => import('./name-key.tsx').then((m) => ({ default: m.NameKey })))

interface ContactNameProps {
  /** A DID, or the address of an account whose DID is unknown. */
  did: string
  /** What it is, for the copy button: "the issuer's DID". */
  what: string
  /** The name its owner gives themselves. */
  suggested?: string | undefined
  /** What it probably is, for naming it. Default: a person. */
  kind?: ContactKind | undefined
  /** How to show the name. Default `who`; `signedWho` above what is about to be signed. */
  tell?: typeof who
  /** What an own key is called here. Default: “You”. */
  own?: string
}

/**
 * Who someone is: picture and name. A click shows the whole DID with a copy button. A key without a name can be given one while the vault
 * is unlocked.
 */
export function ContactName({ did, what, suggested, kind, tell = who, own }: ContactNameProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const [isOpen, setOpen] = useState(false)
  const name = useRef<HTMLButtonElement>(null)
  const isOwn = contacts.own.has(did)
  const named = isOwn ? undefined : contacts.named.get(did)
  const words = isOwn ? (own ?? t`You`) : tell(did, contacts)
  return (
    <span className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-x-2 gap-y-1 align-middle">
      <button
        ref={name}
        type="button"
        aria-expanded={isOpen}
        title={did}
        onClick={() => setOpen(!isOpen)}
        className="reach inline-flex min-h-6 min-w-0 items-center gap-1.5 rounded-sm text-left hover:underline hover:decoration-line-strong hover:underline-offset-4"
      >
        <ContactPicture of={did} name={named?.name} kind={named?.kind} />
        <bdi className="wrap-anywhere min-w-0">{words}</bdi>
      </button>
      {isOpen ? (
        <span className="inline-flex min-w-0 items-center gap-1">
          <code className="min-w-0 break-all text-ink-soft text-sm">{did}</code>
          <CopyButton text={did} what={what} />
        </span>
      ) : null}
      <NameIt did={did} suggested={suggested} kind={kind} then={() => name.current} />
    </span>
  )
}

interface NameItProps extends Pick<ContactNameProps, 'did' | 'suggested' | 'kind'> {
  /** Where the focus goes once it is named, because its own button is gone by then. */
  then?: () => HTMLElement | null
}

/** Lets you name a key that has no name. Empty while we can't tell whether it has one, or can't save one. */
export function NameIt({ did, suggested, kind, then }: NameItProps) {
  const { phase, fromCopy } = useVaultSnapshot()
  const { own, named, isSealed } = useContacts()
  const [isNaming, setNaming] = useState<boolean>()
  if (phase !== 'unlocked' || fromCopy || isSealed || !did.startsWith('did:') || own.has(did)) return null
  return (
    <>
      {named.has(did) ? null : (
        <TextButton onClick={() => setNaming(true)}>
          {did.startsWith('did:key:') ? <Trans>Name this key</Trans> : <Trans>Add a name</Trans>}
        </TextButton>
      )}
      {/* It stays until it has closed. Otherwise the focus would be lost. */}
      {isNaming === undefined ? null : (
        <Suspense fallback={null}>
          <NameKey
            open={isNaming}
            did={did}
            suggested={suggested}
            kind={kind}
            then={then}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </>
  )
}
