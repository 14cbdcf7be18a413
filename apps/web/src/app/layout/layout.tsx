import { useVaultSnapshot } from '@keyhole/vault-react'
import { Outlet, useLocation, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { AccountState } from '../../features/account/account-state.tsx'
import { UnlockForm } from '../../features/account/unlock-form.tsx'
import { Palette } from '../../features/palette/palette.tsx'
import { UnlessEnded } from '../../features/sessions/unless-ended.tsx'
import { whenIdle } from '../../shared/browser/when-idle.ts'
import { AppFrame } from '../../shared/ui/layout/app-frame.tsx'
import { useIsNew } from '../../shared/vault/use-is-new.ts'
import { HoleBackground } from '../background/hole-background.tsx'
import { RouterDevtools } from '../providers/devtools.tsx'
import VaultShell from '../providers/vault-shell.tsx'
import { PagePlace } from './page-navigation.tsx'
import { PopupFrame } from './popup-frame.tsx'
import { RememberShell } from './remember-shell.tsx'
import { UpdateOffer } from './update-offer.tsx'

/** What asks relays waits until what the person sees has been read. A window for one answer asks none. */
const RelayWork = lazy(async () => {
  await whenIdle()
  return { default: (await import('../providers/while-unlocked.ts')).RelayWork }
})
const FromCopy = lazy(() => import('../../features/account/recovery/from-copy.tsx'))

/** The frame of every page: the hole behind it, and the vault around it. */
export default function Layout() {
  const isPayment = useSearch({ strict: false, select: ({ request }) => request === 1 })
  return (
    <>
      <VaultShell>
        <HoleBackground />
        <RememberShell />
        {isPayment ? (
          <PopupFrame>
            <Outlet />
          </PopupFrame>
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
  const { fromCopy, ended, phase } = useVaultSnapshot()
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  const isNew = useIsNew()
  return (
    <AppFrame
      onStage={isHome && isNew && ended === undefined}
      palette={<Palette unlockForm={(close) => <UnlockForm autoFocus onUnlocked={close} />} />}
      account={<AccountState />}
      notices={
        <>
          <UpdateOffer />
          {fromCopy ? (
            <Suspense fallback={null}>
              <FromCopy />
            </Suspense>
          ) : null}
        </>
      }
    >
      <UnlessEnded>
        <Outlet />
      </UnlessEnded>
      {phase === 'unlocked' ? (
        <Suspense fallback={null}>
          <RelayWork />
        </Suspense>
      ) : null}
    </AppFrame>
  )
}
