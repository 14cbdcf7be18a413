import type { Proof } from '@keyhole/vault'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Progress } from '../../components/progress.tsx'
import { Failure } from '../common/failure.tsx'
import { useAction } from '../common/use-action.ts'
import { useCountdown } from '../common/use-countdown.ts'
import { type ProofKind, STRONG } from './kinds.ts'
import { ProofFields } from './proof-fields.tsx'
import { isAboutProof, proofProblem, waitUntil } from './proof-words.ts'
import { useProof } from './use-proof.ts'
import { Waiting } from './waiting.tsx'

interface ProveDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Why it is asked, and what happens then. */
  description: ReactNode
  /** The words on the button that does it. */
  action: string
  tone?: 'primary' | 'danger'
  /** Which proofs count. */
  allowed?: readonly ProofKind[]
  /** Further fields, above the proof. */
  children?: ReactNode
  /** Does it; a rejection stays in the dialog in words. */
  perform: (proof: Proof) => Promise<void>
}

/** "Prove that it is you": an act that needs a fresh proof, even while the vault is open. */
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
  const proof = useProof(allowed)
  const [retryAt, setRetryAt] = useState<number>()
  const wait = useCountdown(retryAt)
  const act = useAction(async () => {
    try {
      await perform(await proof.take())
    } catch (error) {
      setRetryAt(waitUntil(error))
      proof.select()
      throw error
    }
    proof.forget()
    onDone()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (wait === 0) act.run()
  }
  const about = isAboutProof(act.error)
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {children}
      <ProofFields
        proof={proof}
        autoFocus={children === undefined}
        disabled={act.pending}
        error={about ? proofProblem(act.error, proof.kind) : undefined}
        onChange={act.clear}
      />
      <Waiting seconds={wait} />
      {about ? null : <Failure error={act.error} />}
      {act.pending ? <Progress label="Checking that it is you…" value={null} /> : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button tone={tone} type="submit" busy={act.pending} disabled={proof.loading || wait > 0}>
          {action}
        </Button>
      </div>
    </form>
  )
}
