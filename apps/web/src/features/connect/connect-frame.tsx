import { CSPProvider } from '@base-ui/react/csp-provider'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { lazy, Suspense } from 'react'
import { KeyholeMark } from '../../components/keyhole-mark.tsx'
import { Preferences } from '../../components/preferences.tsx'
import { AccountState } from '../account/account-state.tsx'
import { UnlessEnded } from '../sessions/unless-ended.tsx'

const ConnectPage = lazy(() => import('./connect-page.tsx'))

/** The frame of the document that apps open: it leads nowhere, so that what they hold a window of is this page alone. */
export function ConnectFrame() {
  const { phase } = useVaultSnapshot()
  return (
    <CSPProvider disableStyleElements>
      <div className="relative isolate flex min-h-dvh flex-col">
        <header className="border-line border-b bg-surface">
          <div className="mx-auto flex h-16 max-w-2xl items-center gap-2 px-4">
            <KeyholeMark className="size-7 shrink-0 text-ink" />
            <span className="font-bold text-lg tracking-tight">Keyhole</span>
            <div className="ml-auto flex min-w-0 items-center gap-1">
              {phase === 'locked' || phase === 'unlocked' ? <AccountState /> : null}
              <Preferences />
            </div>
          </div>
        </header>
        <main
          id="page"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-6 px-4 pt-6 pb-12 outline-none"
        >
          <UnlessEnded>
            <Suspense fallback={null}>
              <ConnectPage />
            </Suspense>
          </UnlessEnded>
        </main>
      </div>
    </CSPProvider>
  )
}
