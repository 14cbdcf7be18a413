import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLayoutEffect, useRef } from 'react'
import type { Capability } from '../grant-words/sentence.ts'
import { takeFocus } from '../hooks/take-focus.ts'
import { storedCapability } from '../tokens/capability.ts'
import { GrantSentence } from '../tokens/stored-sentence.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import type { Contacts } from '../words/who.ts'
import { HandOverGrant } from './hand-over-grant.tsx'

interface GrantResultProps {
  stored: StoredToken
  /** What it allows, where the chain that it is part of was read. Default: what it says itself. */
  capability?: Capability | undefined
  contacts: Contacts
  onAnother: () => void
  /** The words of the button that starts over. */
  another: string
}

/** A token that was just signed: what it says, and the ways to hand it over. It takes the focus of the form it replaces. */
export function GrantResult({
  stored,
  capability = storedCapability(stored),
  contacts,
  onAnother,
  another,
}: GrantResultProps) {
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => takeFocus(place.current), [])
  return (
    <div ref={place} tabIndex={-1} className="rounded-card">
      <Card
        title={t`Signed and stored`}
        actions={
          <Button size="small" onClick={onAnother}>
            {another}
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <GrantSentence cid={stored.cid} capability={capability} contacts={contacts} />
          <p>
            <Trans>Now send it. Anyone can read and check it, but only the key it is for can use it.</Trans>
          </p>
          <HandOverGrant grant={stored} />
        </div>
      </Card>
    </div>
  )
}
