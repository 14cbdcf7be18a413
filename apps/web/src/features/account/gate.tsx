import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Fragment, lazy, type ReactNode, Suspense } from 'react'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { useIsNew } from '../../shared/vault/use-is-new.ts'
import { NotLoaded } from './not-loaded.tsx'
import { Opening } from './opening.tsx'
import { UnlockForm } from './unlock-form.tsx'

const RecoveryScreen = lazy(() => import('./recovery/recovery-screen.tsx'))

interface GateProps {
  /** "account": an account, locked or not; "unlocked": its keys at hand. */
  need: 'account' | 'unlocked'
  /** What the vault is needed for, as the end of "Unlock it to …"; in German the end of "um …", with its "zu". */
  purpose: string
  children: ReactNode
}

/** Shows its children once the vault is in the state they need, and otherwise the way there. */
export function Gate({ need, purpose, children }: GateProps) {
  const { phase, address } = useVaultSnapshot()
  const isNew = useIsNew()
  // What was begun or shown in one account is nothing of another's.
  const content = <Fragment key={address}>{children}</Fragment>
  if (isNew) return <NoVault purpose={purpose} />
  switch (phase) {
    case 'uninitialized':
    case 'loading':
      return <Opening />
    case 'failed':
      return <NotLoaded />
    case 'empty':
      return (
        <Suspense fallback={<Opening />}>
          <Missing />
        </Suspense>
      )
    case 'locked':
      if (need === 'account') return content
      return (
        <Card
          title={<Trans>The vault is locked</Trans>}
          description={<Trans>Unlock it to {purpose}. What you typed before is kept.</Trans>}
        >
          <UnlockForm />
        </Card>
      )
    case 'unlocked':
      return content
  }
}

function NoVault({ purpose }: { purpose: string }) {
  const { t } = useLingui()
  return (
    <Card>
      <EmptyState
        title={t`There is no vault in this browser yet`}
        actions={
          <>
            <Link to="/register" className={buttonClass('primary')}>
              <Trans>Create vault</Trans>
            </Link>
            <Link to="/register" search={{ tab: 'restore' }} className={buttonClass()}>
              <Trans>Restore from a backup</Trans>
            </Link>
          </>
        }
      >
        <Trans>You need one to {purpose}. It takes less than a minute.</Trans>
      </EmptyState>
    </Card>
  )
}

/** Who had a vault here is shown the way back to it, not to a new one. */
function Missing() {
  return (
    <div className="flex flex-col gap-6">
      <Notice tone="warn" title={<Trans>The vault of this browser is missing.</Trans>}>
        <Trans>Its database came back empty. What is left of it, and the ways back, are below.</Trans>
      </Notice>
      <RecoveryScreen level={2} />
    </div>
  )
}
