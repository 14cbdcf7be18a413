import { createRootRoute, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { HoleBackground } from '../background/hole-background.tsx'
import { AppFrame } from '../components/app-frame.tsx'
import { Spinner } from '../components/spinner.tsx'
import { RouterDevtools } from '../lib/devtools.tsx'

const VaultShell = lazy(() => import('../lib/vault-shell.tsx'))

export const Route = createRootRoute({ component: Layout })

function Layout() {
  return (
    <>
      <HoleBackground />
      <Suspense fallback={<Starting />}>
        <VaultShell>
          <Outlet />
        </VaultShell>
      </Suspense>
      <RouterDevtools />
    </>
  )
}

/** What is drawn before the vault's own scripts are there. */
function Starting() {
  return (
    <AppFrame account={null}>
      <p role="status" className="flex items-center gap-2 text-ink-soft">
        <Spinner /> Opening the vault…
      </p>
    </AppFrame>
  )
}
