import type { StoredToken } from '@keyhole/vault'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Sentence } from '../words/sentence.tsx'
import type { Acquaintance } from '../words/who.ts'
import { storedCapability } from './capability.ts'

interface GrantResultProps {
  stored: StoredToken
  acquaintance: Acquaintance
  onAnother: () => void
  /** The words of the button that starts over. */
  another: string
}

/** A token that was just signed: what it says, and its text to hand over. */
export function GrantResult({ stored, acquaintance, onAnother, another }: GrantResultProps) {
  return (
    <Card
      title="Signed and stored"
      actions={
        <>
          <CopyButton text={stored.token} what="the token" label="Copy the token" />
          <Button size="small" tone="primary" onClick={onAnother}>
            {another}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Sentence capability={storedCapability(stored)} acquaintance={acquaintance} />
        <CodeBlock label="token" text={stored.token} wrap />
        <Notice>
          Hand this text over in any way you like: only the holder of the key it is made out to can use it. It
          carries its whole chain, so anyone can check it offline.
        </Notice>
      </div>
    </Card>
  )
}
