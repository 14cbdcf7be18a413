import { CSPProvider } from '@base-ui/react/csp-provider'
import { Trans } from '@lingui/react/macro'
import { CookingPot } from 'lucide-react'
import type { ReactNode } from 'react'
import { Preferences } from '../../../shared/ui/preferences/preferences.tsx'

/** The app's frame. It looks nothing like the vault's, so that the two aren't confused. */
export function AppWindow({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <div className="relative isolate flex min-h-dvh flex-col">
        <header className="border-line border-b bg-canvas">
          <div className="mx-auto flex h-16 max-w-3xl items-center gap-2 px-4 scant:h-auto scant:min-h-16 scant:flex-wrap scant:px-2 scant:py-2">
            <CookingPot className="size-6 shrink-0" aria-hidden />
            <span className="font-semibold text-lg tracking-tight">
              <Trans>Recipes</Trans>
            </span>
            <div className="ml-auto flex min-w-0 items-center gap-1 scant:flex-wrap scant:justify-end">
              <a href="/demo?tab=app" className="rounded-sm px-2 text-sm underline underline-offset-4">
                <Trans>To the demo</Trans>
              </a>
              <Preferences />
            </div>
          </div>
        </header>
        <main
          id="page"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-6 px-4 pt-6 pb-12 outline-none"
        >
          {children}
        </main>
      </div>
    </CSPProvider>
  )
}
