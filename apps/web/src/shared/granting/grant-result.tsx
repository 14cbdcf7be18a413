import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { takeFocus } from '../hooks/take-focus.ts'
import { StoredSentence } from '../tokens/stored-sentence.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Card } from '../ui/layout/card.tsx'
import { QrButton } from '../ui/sharing/qr-button.tsx'
import { ShareButton } from '../ui/sharing/share-button.tsx'
import { CodeBlock } from '../ui/text/code-block.tsx'
import type { Contacts } from '../words/who.ts'

interface GrantResultProps {
  stored: StoredToken
  contacts: Contacts
  onAnother: () => void
  /** The words of the button that starts over. */
  another: string
}

/** A token that was just signed: what it says, and its text to hand over. It takes the focus of the form it replaces. */
export function GrantResult({ stored, contacts, onAnother, another }: GrantResultProps) {
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => takeFocus(place.current), [])
  const what = t`the token`
  return (
    <div ref={place} tabIndex={-1} className="rounded-card">
      <Card
        title={t`Signed and stored`}
        actions={
          <>
            <CopyButton text={stored.token} what={what} label={t`Copy the token`} />
            <QrButton text={stored.token} what={what} label={t`QR code`} />
            <ShareButton title={t`A grant from Keyhole`} text={stored.token} />
            <Button size="small" tone="primary" onClick={onAnother}>
              {another}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <StoredSentence stored={stored} contacts={contacts} />
          <CodeBlock label="token" text={stored.token} wrap />
          <Notice>
            <Trans>
              Hand this text over in any way you like: only the holder of the key it is made out to can use
              it. It carries its whole chain, so anyone can check it offline.
            </Trans>
          </Notice>
        </div>
      </Card>
    </div>
  )
}
