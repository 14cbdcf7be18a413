import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { Preferences } from '../preferences/preferences.tsx'
import { HeaderMark } from './header-mark.tsx'

interface WindowFrameProps {
  /** The account's state and its buttons, at the right end of the header. */
  account: ReactNode
  children: ReactNode
}

/** The frame of a window that another site has called up, for one thing alone: it leads nowhere else. */
export function WindowFrame({ account, children }: WindowFrameProps) {
  return (
    <CSPProvider disableStyleElements>
      <div className="relative isolate flex min-h-dvh flex-col">
        <header className="border-line border-b bg-canvas">
          <div className="mx-auto flex h-16 max-w-2xl items-center gap-2 px-4 short:h-11 scant:h-auto scant:min-h-16 scant:flex-wrap scant:justify-between scant:px-2 scant:py-2">
            <HeaderMark />
            <span className="font-semibold text-lg tracking-tight">Keyhole</span>
            <div className="ml-auto flex min-w-0 items-center gap-1 scant:contents">
              {account}
              <Preferences />
            </div>
          </div>
        </header>
        <main
          id="page"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-6 px-4 pt-6 pb-12 outline-none short:gap-2.5 short:pt-2.5 scant:px-2"
        >
          {children}
        </main>
      </div>
    </CSPProvider>
  )
}
