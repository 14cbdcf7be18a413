import { CSPProvider } from '@base-ui/react/csp-provider'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Preferences } from '../preferences/preferences.tsx'
import { HeaderMark } from './header-mark.tsx'
import { CheckLink, Places } from './places.tsx'

interface AppFrameProps {
  /** What finds and does things, from anywhere. */
  palette: ReactNode
  /** The account's state and its buttons, at the right end of the header. */
  account: ReactNode
  /** What the page has to be told of, above it. */
  notices?: ReactNode
  /** Whether the page begins with the dark band of the hole, and lays itself out from edge to edge. */
  onStage?: boolean
  children: ReactNode
}

/** The frame of every page: skip link, header, navigation (at the foot on a phone), and the page. */
export function AppFrame({ palette, account, notices, onStage = false, children }: AppFrameProps) {
  const { t } = useLingui()
  return (
    <CSPProvider disableStyleElements>
      <div className={cx('relative isolate flex min-h-dvh flex-col', onStage && 'bg-band')}>
        <a
          href="#page"
          className="sr-only z-50 rounded-control bg-ink px-4 py-2 text-ink-inverse focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          <Trans>Skip to the page</Trans>
        </a>
        <header
          className={cx(
            'top-0 z-30 border-b',
            onStage
              ? 'on-band relative border-transparent'
              : 'sticky border-line bg-canvas scant:static low:static',
          )}
        >
          <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 max-[22rem]:px-2 lg:gap-4 scant:h-auto scant:min-h-16 scant:flex-wrap scant:justify-between scant:px-2 scant:py-2">
            <Link
              to="/"
              className="reach flex items-center gap-2 rounded-lg font-semibold text-lg tracking-tight"
            >
              <HeaderMark />
              <span className="max-[26rem]:sr-only md:max-lg:sr-only">Keyhole</span>
            </Link>
            <nav aria-label={t`Pages`} className="hidden gap-1 md:flex lg:ml-4">
              <Places className="px-2 py-2 text-sm lg:px-3" />
            </nav>
            <div className="ml-auto flex min-w-0 items-center gap-1 max-[22rem]:gap-0 lg:gap-2 scant:contents">
              {palette}
              <CheckLink />
              {account}
              <Preferences />
            </div>
          </div>
        </header>
        <main
          id="page"
          tabIndex={-1}
          className={cx(
            'flex flex-1 flex-col outline-none',
            !onStage &&
              'mx-auto w-full max-w-6xl gap-6 px-4 pt-6 pb-28 sm:pt-10 md:pb-16 scant:px-2 scant:pb-8',
          )}
        >
          <div
            className={cx(
              'flex flex-col gap-6 not-has-[>:not(:empty)]:hidden',
              // Above the hole, which reaches up behind the header.
              onStage && 'relative z-10 mx-auto w-full max-w-6xl px-4',
            )}
          >
            {notices}
          </div>
          {children}
        </main>
        <nav
          aria-label={t`Pages`}
          className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-[repeat(5,auto)] border-line border-t bg-canvas pb-[env(safe-area-inset-bottom)] md:hidden scant:static low:static scant:flex scant:flex-wrap scant:justify-center"
        >
          <Places className="min-h-14 flex-col py-2 text-xs scant:px-3" icons />
        </nav>
      </div>
    </CSPProvider>
  )
}
