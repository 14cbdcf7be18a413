import { type ReactNode, useEffect } from 'react'
import { NotDrawn } from '../../pages/connect/not-drawn.tsx'
import { keepFocus } from '../../shared/browser/focus-memory.ts'
import { useLanguage } from '../../shared/language/use-language.ts'
import { ErrorBoundary } from '../../shared/ui/layout/error-boundary.tsx'
import { HoleBackground } from '../background/hole-background.tsx'
import VaultShell from '../providers/vault-shell.tsx'
import { CONNECT_PATH } from '../shell/connect-document.ts'
import { pageTitle } from './page-title.ts'
import { PopupFrame } from './popup-frame.tsx'
import { RememberShell } from './remember-shell.tsx'

/** The frame of the page that apps open. It is a separate document without a router, and nothing leads away from it. */
export function ConnectLayout({ children }: { children: ReactNode }) {
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title depends on the language
  useEffect(() => {
    document.title = pageTitle(CONNECT_PATH, undefined)
  }, [language])
  useEffect(keepFocus, [])
  return (
    <VaultShell>
      <HoleBackground />
      <RememberShell />
      <PopupFrame>
        <ErrorBoundary fallback={<NotDrawn />}>{children}</ErrorBoundary>
      </PopupFrame>
    </VaultShell>
  )
}
