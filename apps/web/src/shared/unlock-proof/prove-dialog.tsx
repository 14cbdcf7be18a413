import type { UnlockProof } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/buttons/button.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { DialogFoot } from '../ui/dialogs/dialog-foot.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { InSight } from '../ui/feedback/in-sight.tsx'
import { Progress } from '../ui/feedback/progress.tsx'
import { Slow } from '../ui/feedback/slow.tsx'
import { Form } from '../ui/layout/form.tsx'
import { STRONG, type UnlockKind } from '../words/unlock-kinds.ts'
import { UnlockProofFields } from './unlock-proof-fields.tsx'
import { useProven } from './use-proven.ts'
import { useUnlockProof } from './use-unlock-proof.ts'
import { Waiting } from './waiting.tsx'

interface ProveDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Why it asks, and what happens next. */
  description: ReactNode
  /** The text of the button that does it. */
  action: string
  tone?: 'primary' | 'danger'
  /** The accepted methods. */
  allowed?: readonly UnlockKind[]
  /** More fields, above the proof. */
  children?: ReactNode
  /** Does it. A rejection is shown in the dialog. */
  perform: (proof: UnlockProof) => Promise<void>
}

/** "Prove that it is you": for actions that need a fresh proof, even while the vault is open. */
export function ProveDialog({ open, onOpenChange, title, description, ...form }: ProveDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description}>
      <ProveForm {...form} onDone={() => onOpenChange(false)} onCancel={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface ProveFormProps
  extends Pick<ProveDialogProps, 'action' | 'tone' | 'allowed' | 'children' | 'perform'> {
  onDone: () => void
  onCancel: () => void
}

function ProveForm({
  action,
  tone = 'primary',
  allowed = STRONG,
  children,
  perform,
  onDone,
  onCancel,
}: ProveFormProps) {
  const { t } = useLingui()
  const proof = useUnlockProof(allowed)
  const act = useProven(proof, async (given) => {
    await perform(given)
    onDone()
  })
  return (
    <Form onSubmit={act.run}>
      {children}
      <UnlockProofFields
        proof={proof}
        autoFocus={children === undefined}
        disabled={act.pending}
        error={act.problem}
        onChange={act.clear}
      />
      {act.wait > 0 || act.failure !== undefined ? (
        <InSight>
          <Waiting seconds={act.wait} />
          <Failure error={act.failure} />
        </InSight>
      ) : null}
      {act.pending ? (
        <Slow>
          <Progress label={t`Checking that it’s you…`} value={null} />
        </Slow>
      ) : null}
      <DialogFoot>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button tone={tone} type="submit" busy={act.pending} disabled={proof.loading || act.wait > 0}>
          {action}
        </Button>
      </DialogFoot>
    </Form>
  )
}
