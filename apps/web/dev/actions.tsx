import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../src/shared/browser/announce.ts'
import { BackButton } from '../src/shared/ui/buttons/back-button.tsx'
import { Button } from '../src/shared/ui/buttons/button.tsx'
import type { ButtonSize, ButtonTone } from '../src/shared/ui/buttons/button-class.ts'
import { CopyButton } from '../src/shared/ui/buttons/copy-button.tsx'
import { TextButton } from '../src/shared/ui/buttons/text-button.tsx'
import { ConfirmDialog } from '../src/shared/ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../src/shared/ui/dialogs/dialog.tsx'
import { DialogEnd } from '../src/shared/ui/dialogs/dialog-end.tsx'
import { Tooltip } from '../src/shared/ui/feedback/tooltip.tsx'
import { Card } from '../src/shared/ui/layout/card.tsx'
import { Form } from '../src/shared/ui/layout/form.tsx'
import { ShareButton } from '../src/shared/ui/sharing/share-button.tsx'
import { Kbd } from '../src/shared/ui/text/kbd.tsx'

const TONES: readonly ButtonTone[] = ['primary', 'quiet', 'bare', 'danger']
const SIZES: readonly ButtonSize[] = ['normal', 'small']

/** Buttons, menus and dialogs. */
export function Actions() {
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  return (
    <Card title="Actions" description="Hover, focus and press them; each tone at rest, busy and disabled.">
      <div className="flex flex-col gap-4">
        <BackButton onClick={() => undefined}>All of them</BackButton>
        {SIZES.map((size) =>
          TONES.map((tone) => (
            <div key={`${size} ${tone}`} className="flex flex-wrap items-center gap-2">
              <Button tone={tone} size={size} icon={<KeyRound className="size-4" aria-hidden />}>
                {tone}
              </Button>
              <Button tone={tone} size={size} busy>
                busy
              </Button>
              <Button tone={tone} size={size} disabled>
                disabled
              </Button>
            </div>
          )),
        )}
        <div className="flex flex-wrap items-center gap-3">
          <TextButton onClick={() => announce('A plain toast', 'It goes by itself.')}>Announce</TextButton>
          <TextButton onClick={() => announce('Key deleted', 'Phone', { undo: () => undefined })}>
            Announce with undo
          </TextButton>
          <TextButton
            onClick={() => announce('Key deleted', 'Phone', { undo: () => Promise.reject(new Error('no')) })}
          >
            Announce with an undo that fails
          </TextButton>
          <TextButton onClick={() => setOpen(true)}>Open a dialog</TextButton>
          <TextButton onClick={() => setAsking(true)}>Ask for a confirmation</TextButton>
          <Tooltip words="A hint">
            <button type="button">Hover me</button>
          </Tooltip>
          <Kbd keys="mod+k" />
          <Kbd keys="shift+enter" />
          <CopyButton text="a text" what="the text" />
          <CopyButton text="a secret" what="the secret" label="Copy, and clear" clearAfter={20} />
          <ShareButton title="A text" text="a text" />
        </div>
      </div>
      <Dialog open={open} onOpenChange={setOpen} title="A dialog" description="What it is for.">
        <Form onSubmit={() => setOpen(false)} className="flex flex-col gap-4">
          <p>Escape closes it.</p>
          <DialogEnd action={{ pending: false }}>Save</DialogEnd>
        </Form>
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete the key?"
        phrase="Phone"
        phraseHint="Its name."
        action="Delete it"
        onConfirm={() => Promise.reject(new Error('refused'))}
        explain={() => 'It was refused, in words.'}
      >
        What will be gone, and what will stay.
      </ConfirmDialog>
    </Card>
  )
}
