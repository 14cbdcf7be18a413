import { type ReactNode, useEffect } from 'react'
import { HoleBackground } from '../background/hole-background.tsx'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { NotDrawn } from '../features/connect/not-drawn.tsx'
import { CalledUp } from '../features/sessions/called-up.tsx'
import { RememberShell } from '../shell/remember-shell.tsx'
import { CONNECT_PATH } from './connect-document.ts'
import { keepFocus } from './focus-keeper.ts'
import { pageTitle } from './page-title.ts'
import { useLanguage } from './use-language.ts'
import VaultShell from './vault-shell.tsx'

/** What stands around the page that apps open, which is a document of its own and has no router: nothing leads away from it. */
export function ConnectLayout({ children }: { children: ReactNode }) {
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language gives the page another title
  useEffect(() => {
    document.title = pageTitle(CONNECT_PATH, undefined)
  }, [language])
  useEffect(keepFocus, [])
  return (
    <>
      <HoleBackground />
      <VaultShell>
        <RememberShell />
        <CalledUp>
          <ErrorBoundary fallback={<NotDrawn />}>{children}</ErrorBoundary>
        </CalledUp>
      </VaultShell>
    </>
  )
}
