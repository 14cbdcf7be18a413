import { useVaultSnapshot } from '@keyhole/vault-react'
import { Outlet, useLocation, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { HoleBackground } from '../background/hole-background.tsx'
import { AppFrame } from '../components/app-frame.tsx'
import { WindowFrame } from '../components/window-frame.tsx'
import { AccountState } from '../features/account/account-state.tsx'
import { Palette } from '../features/palette/palette.tsx'
import { UnlessEnded } from '../features/sessions/unless-ended.tsx'
import { RememberShell } from '../shell/remember-shell.tsx'
import { CONNECT_PATH } from './connect-document.ts'
import { RouterDevtools } from './devtools.tsx'
import { UpdateOffer } from './update-offer.tsx'
import VaultShell from './vault-shell.tsx'

const ConnectPage = lazy(() => import('../features/connect/connect-page.tsx'))

/** What stands around every page: the hole behind it, and the frame with the vault in it. */
export default function Layout() {
  const isConnect = useLocation().pathname === CONNECT_PATH
  const isPayment = useSearch({ strict: false, select: ({ request }) => request === 1 })
  return (
    <>
      <HoleBackground />
      <VaultShell>
        <RememberShell />
        {isConnect || isPayment ? <CalledUp isConnect={isConnect} /> : <ClientFrame />}
      </VaultShell>
      <RouterDevtools />
    </>
  )
}

/** The windows that other sites call up: what they hold a window of, or wait for, is one page alone. */
function CalledUp({ isConnect }: { isConnect: boolean }) {
  const { phase } = useVaultSnapshot()
  return (
    <WindowFrame account={phase === 'locked' || phase === 'unlocked' ? <AccountState /> : null}>
      <UnlessEnded>
        {/* A document of its own, and no route. */}
        <Suspense fallback={null}>{isConnect ? <ConnectPage /> : <Outlet />}</Suspense>
      </UnlessEnded>
    </WindowFrame>
  )
}

function ClientFrame() {
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
      <UnlessEnded>
        <Outlet />
      </UnlessEnded>
    </AppFrame>
  )
}
