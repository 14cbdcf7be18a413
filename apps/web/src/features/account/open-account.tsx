import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense } from 'react'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { EmptyState } from '../../shared/ui/layout/empty-state.tsx'
import { NotLoaded } from './not-loaded.tsx'
import { Opening } from './opening.tsx'
import { UnlockForm } from './unlock-form.tsx'

const AccountList = lazy(() => import('./account-list.tsx'))

interface OpenAccountProps {
  /** Where a new vault could not answer: shown in place of the offer to make one. */
  none?: ReactNode
}

/** What is still needed before something can be signed here; nothing where the vault is open. Whoever asks learns nothing of it. */
export function OpenAccount({ none }: OpenAccountProps) {
  const { t } = useLingui()
  const { phase, accounts, error, lost } = useVaultSnapshot()
  switch (phase) {
    case 'uninitialized':
    case 'loading':
      return <Opening />
    case 'failed':
      return <NotLoaded />
    case 'locked':
      return (
        <Card
          title={<Trans>The vault is locked</Trans>}
          description={<Trans>Unlock it to continue. You can decline without unlocking it.</Trans>}
        >
          <UnlockForm />
        </Card>
      )
    case 'empty':
      return accounts.length > 0 ? (
        <Card
          title={<Trans>Choose a vault</Trans>}
          description={<Trans>No vault is open in this browser. You can decline without choosing one.</Trans>}
        >
          <Suspense fallback={null}>
            <Failure error={error} />
            <AccountList />
          </Suspense>
        </Card>
      ) : none !== undefined && lost.length === 0 ? (
        <Card>{none}</Card>
      ) : (
        <Card>
          <EmptyState
            title={t`There is no vault in this browser yet`}
            actions={
              // A tab of its own: this window keeps what was asked, and takes up the vault once it is there.
              <a
                href={lost.length > 0 ? '/' : '/register'}
                target="_blank"
                rel="noopener"
                className={buttonClass('primary')}
              >
                {lost.length > 0 ? <Trans>Restore your vault</Trans> : <Trans>Create vault</Trans>}
              </a>
            }
          >
            <Trans>
              You need one to continue. Create it in another tab, then come back. This request stays open
              here.
            </Trans>
          </EmptyState>
        </Card>
      )
    case 'unlocked':
      return null
  }
}
