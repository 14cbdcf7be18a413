import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { TextButton } from '../ui/buttons/text-button.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { HandOver } from '../ui/sharing/hand-over.tsx'
import { askLink, latestAnswer, onAnswer } from './did-answer.ts'

interface AskForDidProps {
  /** Whether a DID is still missing. */
  isOffered: boolean
  /** The field that an answer fills in. */
  field: () => HTMLElement | undefined
}

/** For someone whose DID isn't at hand: a link with which they give it. An answer closes its window and leads to the field. */
export function AskForDid({ isOffered, field }: AskForDidProps) {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const answer = useSyncExternalStore(onAnswer, latestAnswer, () => undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer closes it
  useEffect(() => setOpen(false), [answer])
  return (
    <>
      {isOffered ? (
        <p className="text-ink-soft text-sm">
          <Trans>Don’t have their DID?</Trans>{' '}
          <TextButton onClick={() => setOpen(true)}>
            <Trans>Send them a link</Trans>
          </TextButton>
        </p>
      ) : null}
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t`Send a link to ask`}
        description={t`Anyone who opens this link can send you their DID and name. They need a vault, and can create one there.`}
        leadsTo={() => (isOffered ? undefined : field())}
      >
        <div className="flex flex-col gap-4">
          <HandOver text={askLink()} label={t`link`} what={t`the link`} />
          <p className="text-sm">
            <Trans>They answer with another link. Open it, or paste it into “Who”.</Trans>
          </p>
        </div>
      </Dialog>
    </>
  )
}
