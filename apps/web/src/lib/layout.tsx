import { Outlet, useLocation } from '@tanstack/react-router'
import { HoleBackground } from '../background/hole-background.tsx'
import { AppFrame } from '../components/app-frame.tsx'
import { AccountState } from '../features/account/account-state.tsx'
import { ConnectFrame } from '../features/connect/connect-frame.tsx'
import { Palette } from '../features/palette/palette.tsx'
import { UnlessEnded } from '../features/sessions/unless-ended.tsx'
import { RememberShell } from '../shell/remember-shell.tsx'
import { CONNECT_PATH } from './connect-document.ts'
import { RouterDevtools } from './devtools.tsx'
import { UpdateOffer } from './update-offer.tsx'
import VaultShell from './vault-shell.tsx'

/** What stands around every page: the hole behind it, and the frame with the vault in it. */
export default function Layout() {
  const isConnect = useLocation().pathname === CONNECT_PATH
  return (
    <>
      <HoleBackground />
      <VaultShell>
        <RememberShell />
        {isConnect ? <ConnectFrame /> : <ClientFrame />}
      </VaultShell>
      <RouterDevtools />
    </>
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
