import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { useAction } from '../../hooks/use-action.ts'
import { isTyped } from '../../text/typed.ts'
import { Button } from '../buttons/button.tsx'
import { Notice } from '../feedback/notice.tsx'
import { TextField } from '../fields/text-field.tsx'
import { Form } from '../layout/form.tsx'
import { BACKDROP, POPUP } from './dialog.tsx'
import { useBack } from './use-back.ts'

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** What will be gone, and what will stay. */
  children: ReactNode
  /** What must be typed, in capitals or not, before the button works. */
  phrase: string
  /** The words on the button that does it. */
  action: string
  /** Does it; a rejection stays in the dialog in words. */
  onConfirm: () => Promise<void>
  /** Words for what was refused. */
  explain: (error: unknown) => string
}

/** A destructive act behind a typed confirmation. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  useBack(props.open, () => props.onOpenChange(false))
  return (
    <AlertDialog.Root open={props.open} onOpenChange={(next) => props.onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup className={POPUP}>
          <ConfirmForm {...props} />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

function ConfirmForm({
  open,
  title,
  children,
  phrase,
  action,
  onConfirm,
  onOpenChange,
  explain,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const matches = isTyped(typed, phrase)
  const confirm = useAction(async () => {
    await onConfirm()
    onOpenChange(false)
  })
  const submit = () => {
    // It takes no second press while it closes.
    if (matches && open) confirm.run()
  }
  return (
    <Form onSubmit={submit}>
      <AlertDialog.Title className="font-semibold text-xl">{title}</AlertDialog.Title>
      <AlertDialog.Description render={<div />} className="flex flex-col gap-2 text-ink-soft">
        {children}
      </AlertDialog.Description>
      {/* The first to be reached by Tab, so the dialog itself focuses it; by its own it would hide what had the focus before. */}
      <TextField
        label={
          <Trans>
            Type <strong className="select-all break-all font-mono text-bad">{phrase}</strong> to confirm
          </Trans>
        }
        value={typed}
        onValueChange={setTyped}
        mono
      />
      {confirm.error === undefined ? null : <Notice tone="bad">{explain(confirm.error)}</Notice>}
      <div className="flex flex-wrap justify-end gap-2">
        <AlertDialog.Close
          render={
            <Button>
              <Trans>Keep it</Trans>
            </Button>
          }
        />
        <Button tone="danger" type="submit" disabled={!matches} busy={confirm.pending}>
          {action}
        </Button>
      </div>
    </Form>
  )
}
