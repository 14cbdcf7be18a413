import { Outlet } from '@tanstack/react-router'
import { HoleBackground } from '../background/hole-background.tsx'
import { RememberShell } from '../shell/remember-shell.tsx'
import { RouterDevtools } from './devtools.tsx'
import VaultShell from './vault-shell.tsx'

/** What stands around every page: the hole behind it, and the frame with the vault in it. */
export default function Layout() {
  return (
    <>
      <HoleBackground />
      <VaultShell>
        <RememberShell />
        <Outlet />
      </VaultShell>
      <RouterDevtools />
    </>
  )
}
