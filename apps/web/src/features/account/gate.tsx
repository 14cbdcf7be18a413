import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Notice } from '../../components/notice.tsx'
import { Progress } from '../../components/progress.tsx'
import { useAction } from '../common/use-action.ts'
import { explain } from '../words/refusal.ts'
import { UnlockForm } from './unlock-form.tsx'

const RecoveryScreen = lazy(() => import('../recovery/recovery-screen.tsx'))

interface GateProps {
  /** "account": an account, locked or not; "unlocked": its keys at hand. */
  need: 'account' | 'unlocked'
  /** What the vault is needed for, as the end of "Unlock to …". */
  purpose: string
  children: ReactNode
}

/** Shows its children once the vault is in the state they need, and otherwise the way there. */
export function Gate({ need, purpose, children }: GateProps) {
  const { phase, lost } = useVaultSnapshot()
  switch (phase) {
    case 'loading':
      return <Opening />
    case 'failed':
      return <NotLoaded />
    case 'empty':
      if (lost.length > 0) {
        return (
          <Suspense fallback={<Opening />}>
            <Missing />
          </Suspense>
        )
      }
      return (
        <Card>
          <EmptyState
            title="There is no vault in this browser yet"
            actions={
              <>
                <Link to="/register" className={buttonClass('primary')}>
                  Create a vault
                </Link>
                <Link to="/register" search={{ tab: 'restore' }} className={buttonClass()}>
                  Restore from a backup
                </Link>
              </>
            }
          >
            You need one to {purpose}. It takes less than a minute.
          </EmptyState>
        </Card>
      )
    case 'locked':
      if (need === 'account') return children
      return (
        <Card
          title="The vault is locked"
          description={`Unlock it to ${purpose}. What you typed before is kept.`}
        >
          <UnlockForm />
        </Card>
      )
    case 'unlocked':
      return children
  }
}

/** Who had a vault here is shown the way back to it, not to a new one. */
function Missing() {
  return (
    <div className="flex flex-col gap-6">
      <Notice tone="warn" title="The vault of this browser is missing.">
        Its database came back empty. What is left of it, and the ways back, are below.
      </Notice>
      <RecoveryScreen level={2} />
    </div>
  )
}

/** While the engine starts. */
export function Opening() {
  return (
    <Card>
      <Progress label="Opening the vault…" value={null} />
    </Card>
  )
}

/** When the engine or the storage did not start: what happened, and another try. */
export function NotLoaded() {
  const vault = useVault()
  const { error } = useVaultSnapshot()
  const again = useAction(() => vault.initialize())
  const words = explain(again.error ?? error)
  return (
    <Notice
      tone="bad"
      title={words.title}
      actions={
        <Button size="small" onClick={() => again.run()} busy={again.pending}>
          Try again
        </Button>
      }
    >
      {words.advice}
    </Notice>
  )
}
