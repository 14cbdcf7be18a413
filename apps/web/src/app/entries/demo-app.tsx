import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { SOURCE_LANGUAGE } from '../../locales/languages.js'
import { AppPage } from '../../pages/demo/app/app-page.tsx'
import { NotShown } from '../../pages/demo/app/not-shown.tsx'
import { whenIdle } from '../../shared/browser/when-idle.ts'
import { readLanguage, showLanguage } from '../../shared/language/language.ts'
import { useLanguage } from '../../shared/language/use-language.ts'
import { ErrorBoundary } from '../../shared/ui/layout/error-boundary.tsx'
import { pageTitle } from '../layout/page-title.ts'
import { DEMO_APP_PATH } from '../shell/connect-document.ts'
import { wordPreloadErrors } from '../shell/preload-error.ts'
import { refuseDrops } from '../shell/refuse-drops.ts'
import { registerServiceWorker } from '../shell/service-worker.ts'
import { takeOver } from '../shell/take-over.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('demo-app.html has no element with the id root')

/** A change of language changes the title. The app keeps its state. */
function Titled({ children }: { children: ReactNode }) {
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title depends on the language
  useEffect(() => {
    document.title = pageTitle(DEMO_APP_PATH, undefined)
  }, [language])
  return children
}

wordPreloadErrors()
refuseDrops()
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
