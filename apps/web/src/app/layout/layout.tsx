import { useVaultSnapshot } from '@keyhole/vault-react'
import { Outlet, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { AccountState } from '../../features/account/account-state.tsx'
import { UnlockForm } from '../../features/account/unlock-form.tsx'
import { Palette } from '../../features/palette/palette.tsx'
import { UnlessEnded } from '../../features/sessions/unless-ended.tsx'
import { AppFrame } from '../../shared/ui/layout/app-frame.tsx'
import { HoleBackground } from '../background/hole-background.tsx'
import { RouterDevtools } from '../providers/devtools.tsx'
import VaultShell from '../providers/vault-shell.tsx'
import { CalledUp } from './called-up.tsx'
import { PagePlace } from './page-place.tsx'
import { RememberShell } from './remember-shell.tsx'
import { UpdateOffer } from './update-offer.tsx'

const FromCopy = lazy(() => import('../../features/account/recovery/from-copy.tsx'))

/** What stands around every page: the hole behind it, and the frame with the vault in it. */
export default function Layout() {
  const isPayment = useSearch({ strict: false, select: ({ request }) => request === 1 })
  return (
    <>
      <HoleBackground />
      <VaultShell>
        <RememberShell />
        {isPayment ? (
          <CalledUp>
            <Outlet />
          </CalledUp>
        ) : (
          <ClientFrame />
        )}
      </VaultShell>
      <PagePlace />
      <RouterDevtools />
    </>
  )
}

function ClientFrame() {
  const { fromCopy } = useVaultSnapshot()
  return (
    <AppFrame
      account={
        <>
          <Palette unlockForm={(close) => <UnlockForm autoFocus onUnlocked={close} />} />
          <AccountState />
        </>
      }
    >
      <UpdateOffer />
      {fromCopy ? (
        <Suspense fallback={null}>
          <FromCopy />
        </Suspense>
      ) : null}
      <UnlessEnded>
        <Outlet />
      </UnlessEnded>
    </AppFrame>
  )
}
