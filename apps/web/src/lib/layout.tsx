import { useVaultSnapshot } from '@keyhole/vault-react'
import { Outlet, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { HoleBackground } from '../background/hole-background.tsx'
import { AppFrame } from '../components/app-frame.tsx'
import { AccountState } from '../features/account/account-state.tsx'
import { Palette } from '../features/palette/palette.tsx'
import { CalledUp } from '../features/sessions/called-up.tsx'
import { UnlessEnded } from '../features/sessions/unless-ended.tsx'
import { RememberShell } from '../shell/remember-shell.tsx'
import { RouterDevtools } from './devtools.tsx'
import { PagePlace } from './page-place.tsx'
import { UpdateOffer } from './update-offer.tsx'
import VaultShell from './vault-shell.tsx'

const FromCopy = lazy(() => import('../features/recovery/from-copy.tsx'))

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
          <Palette />
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
