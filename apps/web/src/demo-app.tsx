import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { AppPage } from './features/demo-app/app-page.tsx'
import { NotShown } from './features/demo-app/not-shown.tsx'
import { DEMO_APP_PATH } from './lib/connect-document.ts'
import { readLanguage, showLanguage } from './lib/language.ts'
import { pageTitle } from './lib/page-title.ts'
import { wordPreloadErrors } from './lib/preload-error.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import { useLanguage } from './lib/use-language.ts'
import { whenIdle } from './lib/when-idle.ts'
import { SOURCE_LANGUAGE } from './locales/languages.js'
import { takeOver } from './shell/take-over.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('demo-app.html has no element with the id root')

/** Another language changes the title; what the app has stays with it. */
function Titled({ children }: { children: ReactNode }) {
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language gives the page another title
  useEffect(() => {
    document.title = pageTitle(DEMO_APP_PATH, undefined)
  }, [language])
  return children
}

wordPreloadErrors()
showLanguage(readLanguage())
  .catch(() => showLanguage(SOURCE_LANGUAGE))
  .then(() =>
    takeOver(
      root,
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <Titled>
            <ErrorBoundary fallback={<NotShown />}>
              <AppPage />
            </ErrorBoundary>
          </Titled>
        </I18nProvider>
      </StrictMode>,
    ),
  )
  .then(whenIdle)
  .then(registerServiceWorker)
