import type { StoredToken } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { QrButton } from '../../components/qr-button.tsx'
import { ShareButton } from '../../components/share-button.tsx'
import { takeFocus } from '../common/take-focus.ts'
import type { Acquaintance } from '../words/who.ts'
import { StoredSentence } from './stored-sentence.tsx'

interface GrantResultProps {
  stored: StoredToken
  acquaintance: Acquaintance
  onAnother: () => void
  /** The words of the button that starts over. */
  another: string
}

/** A token that was just signed: what it says, and its text to hand over. It takes the focus of the form it replaces. */
export function GrantResult({ stored, acquaintance, onAnother, another }: GrantResultProps) {
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
          <StoredSentence stored={stored} acquaintance={acquaintance} />
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
