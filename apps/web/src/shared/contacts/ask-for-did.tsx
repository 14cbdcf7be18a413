import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { TextButton } from '../ui/buttons/text-button.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { HandOver } from '../ui/sharing/hand-over.tsx'
import { askLink } from './did-answer.ts'

/** For someone whose DID isn't at hand: a link with which they give it. */
export function AskForDid() {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  return (
    <p className="text-ink-soft text-sm">
      <Trans>You don’t have their DID?</Trans>{' '}
      <TextButton onClick={() => setOpen(true)}>
        <Trans>Send a link to ask</Trans>
      </TextButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t`Send a link to ask`}
        description={t`With this link they send you their DID and their name. They need a vault, and can make one there.`}
      >
        <div className="flex flex-col gap-4">
          <HandOver text={askLink()} label={t`link`} what={t`the link`} />
          <p className="text-sm">
            <Trans>They answer with another link. Open it, or paste it into “Who”.</Trans>
          </p>
        </div>
      </Dialog>
    </p>
  )
}
