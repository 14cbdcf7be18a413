import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import { usePause } from '../../arming/use-pause.ts'
import { useAction } from '../../hooks/use-action.ts'
import { isTyped } from '../../text/typed.ts'
import { Button } from '../buttons/button.tsx'
import { InSight } from '../feedback/in-sight.tsx'
import { Notice } from '../feedback/notice.tsx'
import { TextField } from '../fields/text-field.tsx'
import { Form } from '../layout/form.tsx'
import { BACKDROP, POPUP } from './dialog.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import { useBack } from './use-back.ts'

/** How it is confirmed: by a phrase that is typed, or by a press alone. */
type How =
  | {
      /** What must be typed, in capitals or not, before the button works. */
      phrase: string
      /** What the phrase is. */
      phraseHint: string
      asks?: undefined
    }
  | {
      phrase?: undefined
      phraseHint?: undefined
      /** The whole question as text. A press that started before it appeared confirms nothing. */
      asks: string
    }

type ConfirmDialogProps = How & {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** What will be gone, and what will stay. */
  children: ReactNode
  /** The words on the button that does it. */
  action: string
  /** The words on the button that leaves. Default: that it keeps what this is about. */
  keep?: string
  /** Does it; a rejection stays in the dialog in words. */
  onConfirm: () => Promise<void>
  /** Words for what was refused. */
  explain: (error: unknown) => string
  /** Where the focus goes when it closes. Default: back to the button that opened it. */
  leadsTo?: () => HTMLElement | null | undefined
}

/** A destructive act behind a confirmation: one press, or a phrase that is typed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, phrase, leadsTo } = props
  useBack(open, () => onOpenChange(false))
  const leaving = useRef<HTMLButtonElement>(null)
  const leave = () => {
    const next = leadsTo?.()
    if (!next) return true
    // Base UI would give it to the first button inside, which may be about to go.
    queueMicrotask(() => next.focus({ preventScroll: true }))
    return false
  }
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup
          className={POPUP}
          initialFocus={phrase === undefined ? leaving : true}
          finalFocus={leave}
        >
          <ConfirmForm {...props} leaving={leaving} />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

/** The first line of a question about what can't be undone: at the end of a long one it would be behind the buttons until someone scrolls. */
export function Final() {
  return (
    <p className="font-medium text-ink">
      <Trans>You can’t undo this.</Trans>
    </p>
  )
}

function ConfirmForm({
  open,
  title,
  children,
  phrase,
  phraseHint,
  asks,
  action,
  onConfirm,
  onOpenChange,
  explain,
  keep,
  leaving,
}: ConfirmDialogProps & { leaving: Ref<HTMLButtonElement> }) {
  const [typed, setTyped] = useState('')
  const isByPress = phrase === undefined
  const matches = !isByPress && isTyped(typed, phrase)
  const confirm = useAction(async () => {
    await onConfirm()
    onOpenChange(false)
  })
  // It takes no second press while it closes.
  const pressed = usePause(isByPress && open ? asks : undefined, () => confirm.run())
  return (
    <Form onSubmit={() => matches && open && confirm.run()}>
      <AlertDialog.Title className="font-semibold text-xl">{title}</AlertDialog.Title>
      <AlertDialog.Description render={<div />} className="flex flex-col gap-2 text-ink-soft">
        {children}
      </AlertDialog.Description>
      {/* The first to be reached by Tab, so the dialog itself focuses it; by its own it would hide what had the focus before. */}
      {isByPress ? null : (
        <TextField
          label={
            <Trans>
              Type <strong className="select-all break-all font-mono text-bad">{phrase}</strong> to confirm
            </Trans>
          }
          hint={phraseHint}
          value={typed}
          onValueChange={setTyped}
          mono
        />
      )}
      {confirm.error === undefined ? null : (
        <InSight>
          <Notice tone="bad">{explain(confirm.error)}</Notice>
        </InSight>
      )}
      <DialogFoot>
        <AlertDialog.Close render={<Button ref={leaving}>{keep ?? <Trans>Keep it</Trans>}</Button>} />
        <Button
          tone="danger"
          busy={confirm.pending}
          {...(isByPress ? pressed : { type: 'submit', disabled: !matches })}
        >
          {action}
        </Button>
      </DialogFoot>
    </Form>
  )
}
